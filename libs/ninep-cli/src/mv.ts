import { UsageError } from './errors.js';
import type { Verb } from './verb.js';

export const mv: Verb = {
  usage: 'mv PATH NAME',
  about: 'give another name to a session or agent directory',
  path: 'target',
  async run(client, { path, target }, signal) {
    if (target === '' || target.includes('/')) throw new UsageError(`mv gives a new name and moves nothing elsewhere: ${target}`);
    await client.wstat(path, { name: target }, signal);
  },
};
