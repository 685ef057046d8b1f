import type { Statement } from '../syntax/statement.js';
import type { Shell } from './shell.js';

const TRUE = /^(?:true|:|\[\s+1\s+\]|\[\[\s+1\s+\]\]|\(\(\s*1\s*\)\)|test\s+1|\[\s+1\s+-eq\s+1\s+\])$/;
const FALSE = /^(?:false|\(\(\s*0\s*\)\))$/;

export function isEndless({ condition, until }: Extract<Statement, { type: 'while' }>): boolean {
  return (until ? FALSE : TRUE).test(condition);
}

/** An endless loop whose every turn only leaves more processes behind. */
export function reportEndless(shell: Shell, body: readonly Statement[]): void {
  const busy = body.filter((statement) => !isNothing(statement));
  if (busy.length > 0 && busy.every(({ type }) => type === 'background')) shell.report({ effect: 'fork', attributes: { how: 'endless' } });
}

function isNothing(statement: Statement): boolean {
  return statement.type === 'simple' && /^(?:true|:|echo\b.*|\w+=\S*)$/.test(statement.text);
}
