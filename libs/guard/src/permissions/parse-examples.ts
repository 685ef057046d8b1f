import type { Section } from '../rules/section.js';
import type { Example } from './permission-rule.js';

/** A text is a command given to the shell tool; `{ tool, args }` is a call. Throws ConfigError. */
export function parseExamples(section: Section, key: string): readonly Example[] {
  return section.mixed(key).map((item, index) => {
    const origin = section.originOf(`${key}[${index}]`);
    return typeof item === 'string' ? { call: commandCall(item), text: item, origin } : { ...callOf(item), origin };
  });
}

/** A command as the shell tool is given it. */
function commandCall(cmd: string): Example['call'] {
  return { tool: 'shell', args: { cmd } };
}

function callOf(section: Section): Pick<Example, 'call' | 'text'> {
  const tool = section.only(['tool', 'args']).text('tool');
  const given = section.child('args');
  const args = Object.fromEntries(given.names().map((name) => [name, given.raw(name)]));
  return { call: { tool, args }, text: `${tool} ${JSON.stringify(args)}` };
}
