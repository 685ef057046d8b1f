import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '#config';
import { findHelper, parseHelperReport, probe, SandboxHelperError } from './index.js';
import { findHelper as findHelperIn } from './helper.js';

describe('a report of the helper', () => {
  it.each([
    ['{"type":"exit","code":3}', { type: 'exit', code: 3 }],
    ['{"type":"exit","code":0,"left":2}', { type: 'exit', code: 0, left: 2 }],
    ['{"type":"signal","signal":9,"left":0}', { type: 'signal', signal: 9, left: 0 }],
    ['{"type":"failed","step":"cwd","message":"m"}', { type: 'failed', step: 'cwd', message: 'm' }],
    [
      '{"type":"started","pid":7,"sandbox":"partial","missing":["cells"]}',
      { type: 'started', pid: 7, sandbox: 'partial', missing: ['cells'], notes: [] },
    ],
  ])('%s is read', (line, report) => {
    expect(parseHelperReport(line)).toEqual(report);
  });

  it.each([
    '',
    '[]',
    'null',
    '7',
    '{}',
    '{"type":"exit"}',
    '{"type":"signal","signal":"9"}',
    '{"type":"failed","step":1,"message":""}',
    '{"type":"started","pid":1,"sandbox":"whole","missing":[]}',
  ])('%s is refused', (line) => {
    expect(() => parseHelperReport(line)).toThrow(SandboxHelperError);
  });
});

describe('the helper', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync('/tmp/ollie-helper-')));
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (path: string, content: string, mode = 0o755): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    return file;
  };

  it('is the built one, else the prebuilt one, else absent', () => {
    expect(findHelperIn(root)).toBeUndefined();
    const prebuilt = put(`native/prebuilt/linux-${process.arch}/ollie-sandbox`, '');
    expect(findHelperIn(root)).toBe(prebuilt);
    const built = put('native/build/ollie-sandbox', '');
    expect(findHelperIn(root)).toBe(built);
  });

  it('is found in this installation and tells what the kernel offers', async () => {
    const helper = findHelper();
    expect(helper).toContain(packageRoot());
    const report = await probe(helper ?? '', new AbortController().signal);
    expect(report.landlock).toBeGreaterThan(0);
    expect(report.seccomp).toBe(true);
  });

  it.each([
    ['is missing', ''],
    ['says something else', '#!/bin/sh\necho hello\n'],
    ['says too little', '#!/bin/sh\necho "{}"\n'],
    ['fails', '#!/bin/sh\nexit 3\n'],
  ])('that %s is a typed error', async (_what, script) => {
    const helper = script === '' ? join(root, 'none') : put('fake', script);
    await expect(probe(helper, new AbortController().signal)).rejects.toThrow(SandboxHelperError);
  });

  it('is ended by an abort', async () => {
    const abort = new AbortController();
    const answer = probe(put('slow', '#!/bin/sh\nexec sleep 60\n'), abort.signal);
    abort.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });
});
