import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isName, NotFoundError, type GenerationParams } from '#model';
import type { Log, Paths } from '#config';
import { readProfileFile, type ProfileFile } from './profile-file.js';
import { findFile, packagedText, promptFile, promptText } from './profile-text.js';
import type { Profile } from './profile.js';

const DEFAULT = 'default';
const SUFFIX = '.json';
const SYSTEM_PROMPT = 'SYSTEM_PROMPT.md';
const MAX_STEPS_NUDGE = 'max-steps.md';

/** Profiles of the agents directories; the packaged `default` always exists. Cached until `invalidate`. */
export class ProfileStore {
  private readonly directories: readonly string[];
  private readonly profiles = new Map<string, Profile>();
  private list: readonly string[] | undefined;

  constructor(
    private readonly paths: Paths,
    private readonly log: Log,
  ) {
    this.directories = [...paths.agents, join(paths.packaged, 'profiles')];
  }

  /** `default`, then the others sorted. A file whose name no profile can have is left out, with a warning. */
  names(): readonly string[] {
    return (this.list ??= this.scan());
  }

  /** Throws NotFoundError; IllegalInputError naming file and key for a broken one. */
  get(name: string): Profile {
    const cached = this.profiles.get(name);
    if (cached) return cached;
    const file = isName(name) ? findFile(this.directories, name + SUFFIX) : undefined;
    if (file === undefined) throw new NotFoundError('profile', name);
    const profile = this.read(name, file);
    this.profiles.set(name, profile);
    return profile;
  }

  invalidate(): void {
    this.profiles.clear();
    this.list = undefined;
  }

  private scan(): readonly string[] {
    const present = this.directories.filter((directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory());
    const files = present.flatMap((directory) => readdirSync(directory).filter((file) => file.endsWith(SUFFIX)));
    const stems = new Set(files.map((file) => file.slice(0, -SUFFIX.length)));
    for (const stem of stems) if (!isName(stem)) this.log.warn(`profile left out, no such name is possible: ${stem}`);
    stems.delete(DEFAULT);
    return [DEFAULT, ...[...stems].filter(isName).sort()];
  }

  private read(name: string, file: string): Profile {
    const values = readProfileFile(readFileSync(file, 'utf8'), file);
    const {
      prompt = '',
      systemPrompt = SYSTEM_PROMPT,
      backend,
      model,
      tools = true,
      autoLoad,
      maxSteps = 0,
      feed = 'manual',
      compactionModel,
      ...rest
    } = values;
    const { prompts } = this.paths;
    const texts = [promptFile(systemPrompt, prompts, file), promptText(prompt, prompts, file)];
    return {
      name,
      systemPrompt: texts
        .map((text) => text.trim())
        .filter(Boolean)
        .join('\n\n'),
      backend,
      model,
      tools,
      maxSteps,
      autoLoad: autoLoad ?? this.standardTools(),
      feed,
      compactionModel,
      maxStepsNudge: packagedText(this.paths.packaged, MAX_STEPS_NUDGE).trim(),
      params: given(rest),
    };
  }

  /** What the packaged default loads, for profiles that do not say. */
  private standardTools(): readonly string[] {
    const file = join(this.paths.packaged, 'profiles', DEFAULT + SUFFIX);
    return readProfileFile(readFileSync(file, 'utf8'), file).autoLoad ?? [];
  }
}

type GenerationValues = { [K in keyof GenerationParams]: ProfileFile[K] };

/** Without the keys that the file leaves out. */
function given(values: GenerationValues): GenerationParams {
  for (const [key, value] of Object.entries(values)) if (value === undefined) Reflect.deleteProperty(values, key);
  return values;
}
