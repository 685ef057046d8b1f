import { dir, type DirSpec, lineStream, message, reservedFor, wait } from '#virtfs';
import type { OlliesrvServices } from '../olliesrv-services.js';

const rows = dir<OlliesrvServices>(
  {
    pending: { ...wait('The next request that waits for an answer, as JSON', (ollie) => ollie.approvals.pending), mode: 0o400 },
    resolve: {
      ...message('Answer a request', (ollie, text, { client }) => ollie.approvals.resolve(text, client)),
      mode: 0o200,
      usage: ['{"id":"a-1","approved":true,"scope":"once"}', '{"id":"a-1","error":"why not"}', '{"id":"a-1","answer":"text"}'],
    },
    log: { ...lineStream('Who decided what, one JSON line each', (ollie) => ollie.approvals.log, false), mode: 0o400 },
  },
  { about: 'What agents ask of their user' },
);

/** `approvals/` (contract 2.1): the owner's alone. */
export const approvalsDirectory: DirSpec<OlliesrvServices> = {
  ...reservedFor<OlliesrvServices>([], rows),
  mode: 0o550,
};
