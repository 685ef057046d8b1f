import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryCatalog } from '#tools';

const yaml = `
description: Count the lines, words and bytes of a file.
input:
  type: object
  required: [file_path]
  additionalProperties: false
  properties:
    file_path: { type: string, description: 'The file, relative to the working directory.' }
tier: cold
parallel: read
timeout: 10
command: wc -- "$OLLIE_ARG_FILE_PATH"
`;

describe('guide: add a tool', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'ollie-guide-'));
    writeFileSync(join(directory, 'word_count.yaml'), yaml);
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('finds the tool and checks its arguments', () => {
    const tool = new DirectoryCatalog([directory], process.env.PATH ?? '').find('word_count');
    expect(tool.info).toMatchObject({ name: 'word_count', tier: 'cold', parallel: 'read', timeout: 10 });
    expect(tool.info.inputSchema).toMatchObject({
      properties: { file_path: { type: 'string', description: 'The file, relative to the working directory.' } },
    });
    expect(tool.check({ file_path: 'a.txt' })).toBeUndefined();
    expect(tool.check({ path: 'a.txt' })).toContain('file_path');
  });

  it('gives the program its argument through the environment', () => {
    writeFileSync(join(directory, 'a $(touch b).txt'), 'one two\n');
    const tool = new DirectoryCatalog([directory], process.env.PATH ?? '').find('word_count');
    const line = tool.command.type === 'shell' ? tool.command.line : '';
    const env = { PATH: process.env.PATH, OLLIE_ARG_FILE_PATH: 'a $(touch b).txt' };
    expect(execFileSync('sh', ['-c', line], { cwd: directory, env, encoding: 'utf8' })).toMatch(/^\s*1\s+2\s+8 /);
  });
});
