import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#config';

const script = String.raw`
order: any
contextLength: 8000
steps:
  - when: { lastTool: { name: weather, ok: true } }
    say: 'The forecast says: {{tool}}'
  - when: { lastTool: { name: weather, ok: false } }
    say: 'There is no forecast: {{tool}}'
  - when: { lastUser: '/weather in (\w+)/' }
    think: I have to look that up.
    calls: [{ tool: weather, args: { city: '{{user.1}}' } }]
  - when: { lastUser: busy }
    say: Now I have time for you.
    fail: { times: 1, status: 529, headers: { retry-after: 1 } }
  - say: I only know the weather.
`;

const serve = `
o scripted serve --script weather.yaml --script claude-9=weather.yaml --log requests.jsonl > urls &
server=$!
until grep -q ollama urls; do sleep 0.1; done
`;

const ask = `
anthropic=$(sed -n 's/^anthropic *//p' urls)
gemini=$(sed -n 's/^gemini *//p' urls)
o gen --backend anthropic --url "$anthropic" --model claude-9 'hello'
o gen --backend gemini --url "$gemini" --model weather 'hello'
o gen --backend anthropic --url "$anthropic" --model claude-9 'busy?' || o gen --backend anthropic --url "$anthropic" --model claude-9 'busy?'
`;

const end = `
grep -c '"path":"/v1/messages"' requests.jsonl
kill $server
wait $server
`;

describe('guide: test without a model', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'ollie-guide-'));
    writeFileSync(join(directory, 'weather.yaml'), script);
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('serves, answers, fails once, and has written down what it was asked', () => {
    const env = {
      PATH: `${join(packageRoot(), 'bin')}:${process.env.PATH}`,
      HOME: directory,
      OLLIE_ANTHROPIC_KEY: 'k',
      OLLIE_GEMINI_KEY: 'k',
    };
    const said = execFileSync('sh', ['-ec', serve + ask + end], {
      cwd: directory,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(said.split('\n')).toEqual([
      '[scripted] I only know the weather.',
      '[scripted] I only know the weather.',
      '[scripted] Now I have time for you.',
      '3',
      '',
    ]);
  }, 30_000);
});
