import { unknownContent } from '../shell/unknown-content.js';
import { baseName, filtered, has, inputOf, valueOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** Programs that delete, move, write and copy files. */
export const fileHandlers: ProgramHandlers = {
  rm: remove,
  srm: remove,
  wipe: remove,
  unlink: remove,
  shred: (call) => {
    for (const path of call.options.operands) {
      call.shell.write(path, 'replace', call.shell.unknown({ empty: 'never' }));
      call.shell.reportPath({ effect: 'delete', recursive: false }, path);
    }
    return '';
  },
  mv: move,
  cp: copy,
  install: copy,
  ln: copy,
  scp: copy,
  rsync: synchronize,
  tee: (call) => {
    for (const path of call.options.operands) call.shell.write(path, has(call, 'append') ? 'append' : 'replace', call.stdin ?? '');
    return call.stdin ?? '';
  },
  sponge: (call) => writeEach(call, call.options.operands),
  truncate: (call) => writeEach(call, call.options.operands, ''),
  dd: (call) => {
    const operand = (name: string): string | undefined => call.args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
    const [source, target] = [operand('if'), operand('of')];
    const content = inputOf(call, source === undefined ? [] : [source]);
    if (target === undefined) return content;
    call.shell.write(target, 'replace', content);
    return '';
  },
  sed: (call) => {
    if (!has(call, 'in-place')) return filtered(call);
    return edit(call, call.options.operands.slice(has(call, 'expression') || has(call, 'file') ? 0 : 1));
  },
  perl: (call) => (call.args.some((word) => /^-[a-z0]*i/.test(word)) ? edit(call, call.options.operands) : filtered(call)),
  ed: (call) => edit(call, call.options.operands),
  ex: (call) => edit(call, call.options.operands),
  patch: (call) => edit(call, call.options.operands.slice(0, 1)),
  sort: (call) => {
    const target = valueOf(call, 'output');
    return target === undefined ? filtered(call) : writeEach(call, [target]);
  },
  tar: (call) => {
    const gone = has(call, 'remove-files') ? call.options.operands : [];
    for (const path of gone) call.shell.reportPath({ effect: 'delete', recursive: true }, path);
    return filtered(call);
  },
  chmod: permissions,
  chown: permissions,
  chgrp: permissions,
  setfacl: permissions,
  chattr: permissions,
};

/** rm refuses `.` and `..` by themselves. */
function remove(call: ParsedCall): string {
  for (const path of call.options.operands.filter((each) => !/^(?:.*\/)?\.\.?\/*$/.test(each))) {
    call.shell.reportPath({ effect: 'delete', recursive: has(call, 'recursive') }, path);
  }
  return '';
}

function permissions(call: ParsedCall): string {
  for (const path of call.options.operands) call.shell.reportPath({ effect: 'permissions', recursive: has(call, 'recursive') }, path);
  return '';
}

function writeEach(call: ParsedCall, paths: readonly string[], content?: string): string {
  for (const path of paths) call.shell.write(path, 'replace', content ?? call.stdin ?? filtered(call));
  return '';
}

function edit(call: ParsedCall, paths: readonly string[]): string {
  for (const path of paths) call.shell.write(path, 'edit', call.shell.unknown({ empty: 'never' }));
  return '';
}

/** The target may be a file or a directory: both are reported. */
function copy(call: ParsedCall): string {
  const { operands } = call.options;
  const into = valueOf(call, 'target-directory');
  const target = into ?? operands.at(-1);
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  if (target === undefined) return '';
  for (const source of sources) {
    const content = call.shell.read(source, call.stdin) ?? unknownContent(call.shell, source);
    if (into === undefined) call.shell.write(target, 'replace', content);
    call.shell.write(`${target}/${baseName(source)}`, 'replace', content);
  }
  return '';
}

function move(call: ParsedCall): string {
  const { operands } = call.options;
  const sources = valueOf(call, 'target-directory') === undefined ? operands.slice(0, -1) : operands;
  for (const path of sources) call.shell.reportPath({ effect: 'move', recursive: true, attributes: { to: operands.at(-1) ?? '' } }, path);
  return copy(call);
}

function synchronize(call: ParsedCall): string {
  const target = call.options.operands.at(-1);
  const deletes = [...call.options.given.keys()].some((name) => /^(?:del|delete(?:-.*)?)$/.test(name)) && !has(call, 'dry-run');
  if (target === undefined || /^[^/]+:/.test(target)) return '';
  if (deletes) call.shell.report({ effect: 'delete', path: call.shell.resolve(target), certainty: 'certain', recursive: true });
  return has(call, 'dry-run') ? '' : copy(call);
}
