import { has, valueOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** A table that is removed, or replaced by an empty one, counts as its file deleted. */
export const crontabHandlers: ProgramHandlers = {
  crontab: (call) => {
    if (has(call, 'r')) remove(call);
    else if (!has(call, 'l') && !has(call, 'e')) install(call);
    return has(call, 'l') ? call.shell.unknown({ empty: 'never' }) : '';
  },
};

function remove(call: ParsedCall): void {
  const user = valueOf(call, 'u') ?? 'self';
  call.shell.report({ effect: 'delete', path: `/var/spool/cron/crontabs/${user}`, certainty: 'certain', recursive: false });
}

function install(call: ParsedCall): void {
  const [file = '-'] = call.options.operands;
  const content = call.shell.read(file, call.stdin);
  if (content !== undefined && content.trim() === '') remove(call);
}
