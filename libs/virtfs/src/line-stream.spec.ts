import { describeKind } from '#testkit';
import { LineLog } from './line-log.js';
import { lineStream } from './line-stream.js';

const CONTENT = 'one\ntwo ✓\n';

class Decisions {
  readonly log = new LineLog(1000, (lost) => `${lost} lost\n`);
  constructor() {
    for (const line of ['one\n', 'two ✓\n']) this.log.append(line);
  }
}

// One that waits has no end of file; line-log.spec.ts has its waits.
describeKind<Decisions>('lineStream', {
  row: lineStream('Decisions', ({ log }) => log, false),
  subject: () => new Decisions(),
  mode: 0o444,
  content: CONTENT,
  length: 'that of the content',
  change: ({ log }) => log.append('more\n'),
});
