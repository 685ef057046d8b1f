/** What the environment block of a system prompt says. `platform` is that of the host on which the tools run. */
export interface PromptEnvironment {
  readonly cwd: string;
  readonly platform: string;
  readonly nowMs: number;
}

/** The system message: the profile's text, then the environment. The date has no time, so that a day's requests begin alike. */
export function systemPrompt(profileText: string, environment: PromptEnvironment): string {
  const { cwd, platform, nowMs } = environment;
  const block = ['<environment>', `cwd: ${cwd}`, `platform: ${platform}`, `date: ${dateOf(nowMs)}`, '</environment>'].join('\n');
  return [profileText.trim(), block].filter((part) => part !== '').join('\n\n');
}

function dateOf(nowMs: number): string {
  const date = new Date(nowMs);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** A system message that stays as it was made, date included, as long as profile and directory do: providers reuse their work on it. */
export class StandingPrompt {
  private made: { readonly profileText: string; readonly cwd: string; readonly text: string } | undefined;

  of(profileText: string, environment: PromptEnvironment): string {
    const { made } = this;
    const { cwd } = environment;
    if (made?.cwd === cwd && made.profileText === profileText) return made.text;
    const text = systemPrompt(profileText, environment);
    this.made = { profileText, cwd, text };
    return text;
  }
}
