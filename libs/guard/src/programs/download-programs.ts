import { baseName, has, valueOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** Programs that fetch something from elsewhere, to standard output or to a file. */
export const downloadHandlers: ProgramHandlers = {
  curl: (call) => {
    const named = call.options.given.get('output') ?? [];
    const target = named.at(-1) ?? (has(call, 'remote-name') ? fileOf(call) : undefined);
    return deliver(call, target === '-' ? undefined : target);
  },
  wget: (call) => {
    const folder = valueOf(call, 'directory-prefix');
    const target = valueOf(call, 'output-document') ?? (folder === undefined ? '' : `${folder}/`) + fileOf(call);
    return deliver(call, target === '-' || target === '/dev/stdout' ? undefined : target);
  },
  fetch: (call) => deliver(call, valueOf(call, 'o') === '-' ? undefined : (valueOf(call, 'o') ?? fileOf(call))),
  aria2c: (call) => deliver(call, valueOf(call, 'o') ?? fileOf(call)),
  http: (call) => deliver(call, valueOf(call, 'output')),
  https: (call) => deliver(call, valueOf(call, 'output')),
  xh: (call) => deliver(call, valueOf(call, 'output')),
  lynx: (call) => deliver(call, undefined),
  nc: (call) => deliver(call, undefined),
  ncat: (call) => deliver(call, undefined),
  'lwp-request': (call) => deliver(call, undefined),
};

function deliver(call: ParsedCall, file: string | undefined): string {
  const content = call.shell.unknown({ empty: 'output', download: true });
  if (file === undefined) return content;
  call.shell.write(file, 'replace', content);
  return '';
}

/** The file name that an address ends with. */
function fileOf(call: ParsedCall): string {
  const address = call.options.operands.find((word) => /[/.]/.test(word)) ?? '';
  return baseName(address.replace(/^\w+:\/\//, '').replace(/[?#].*$/, '')) || 'index.html';
}
