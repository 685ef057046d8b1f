/** In a cell a path that is not granted is not there, and one that may not be written lies on a read-only mount. */
const DENIED = /permission denied|read-only file system|(no such file or directory|directory nonexistent)/i;
/** Behind the words: zsh and Python `: NAME`, Node `, open 'NAME'`, Ruby ` @ rb_sysopen - NAME`. */
const BEHIND = /^(?:: |, \w+ | @ \w+ - )(?:(['"])(.+?)\1|(\/.*|\.\.?\/.*)$)/;
const QUOTED = /(?<!\w)'([^']+)'|"([^"]+)"|‘([^’]+)’|`([^'`]+)['`]/g;
/** `cannot create NAME`, `open NAME`: the rest from the first word that begins with a slash. */
const ABSOLUTE = /(?:^|\s)(\/.*)$/;
/** Says what failed and not where: `tar: NAME: Cannot open: Permission denied`, `file 'NAME': [Errno 13] Permission denied`. */
const REMARK = /^(?:can|could|unable|fail|\[errno)[^/'"‘`]*$/i;
/** No program writes its message into a line as long as this. */
const MAX_LINE_LENGTH = 4096;
const MAX_PATH_LENGTH = 1024;

export interface DeniedPath {
  readonly path: string;
  /** The line says that it is not there. */
  readonly isAbsent: boolean;
}

/** The path that a line says was refused or absent, as it is written there; undefined when the words do not tell. */
export function deniedPath(line: string): DeniedPath | undefined {
  const words = line.length > MAX_LINE_LENGTH ? null : DENIED.exec(line);
  if (words === null) return undefined;
  const behind = BEHIND.exec(line.slice(words.index + words[0].length));
  const path = behind?.[2] ?? behind?.[3] ?? pathBefore(line.slice(0, words.index));
  if (path === undefined || path.length > MAX_PATH_LENGTH || path.includes('\0')) return undefined;
  return { path, isAbsent: words[1] !== undefined };
}

/** In the last part that names something; programs put their own name and the line number before it. */
function pathBefore(text: string): string | undefined {
  const parts = text
    .split(': ')
    .map((part) => part.replace(/[\s(]+$|\(\d+$/, ''))
    .filter((part) => part !== '' && !REMARK.test(part));
  const part = parts.at(-1) ?? '';
  const quoted = [...part.matchAll(QUOTED)].at(-1)?.slice(1);
  if (quoted !== undefined) return quoted.find((name) => name !== undefined);
  return ABSOLUTE.exec(part)?.[1] ?? (/^\S+$/.test(part) ? part : undefined);
}
