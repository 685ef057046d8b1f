import type { Verb } from './verb.js';

export const rm: Verb = {
  usage: 'rm PATH',
  about: 'remove; a session or agent directory: end it',
  run: (client, { path }, signal) => client.remove(path, signal),
};
