import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { Permissions } from '#guard';

const rules = `
paths:
  plans: ['{CWD}/plans', ~/plans]

rules:
  - id: publish
    verdict: ask
    why: a published version cannot be taken back
    when: { program: [npm, pnpm], subcommand: publish }
    examples:
      - npm publish
      - cd lib && sh -c 'pnpm publish --tag next'
    counter-examples:
      - npm pack
      - echo npm publish

  - id: plans
    verdict: deny
    why: plans are written by people; put a proposal into proposals/
    when:
      - { tool: [file_write, file_edit], inside: plans }
      - { effect: write, inside: plans }
      - { effect: delete, inside: plans }
      - { effect: delete, paths: plans }
      - { effect: move, inside: plans }
    examples:
      - { tool: file_write, args: { file_path: ~/plans/a.md, content: x } }
      - echo x >> plans/a.md
      - rm plans/a.md
      - mv plans/a.md /tmp
      - rm -r ../project
    counter-examples:
      - { tool: file_read, args: { file_path: plans/a.md } }
      - cat plans/a.md
`;

const listed = `
default: ask
rules:
  - id: look
    verdict: allow
    when:
      - { tool: file_read, inside: '{CWD}' }
      - { program: [ls, sort, git status, git diff] }
      - { program: cat, operand-paths: '{CWD}' }
      - { effect: read, inside: '{CWD}' }
    examples:
      - { tool: file_read, args: { file_path: src/a.ts } }
      - git status --short && ls | sort
      - cat README.md
    counter-examples:
      - git push
      - cat ~/.netrc
      - cat < ~/.netrc
      - cat ../*
      - ls $(make)
`;

const changes = `
guard:
  delete-repository: allow
  discard-work: ask
`;

const trial = `
toolsrv guard 'npm pack && npm publish'
`;

const context = { cwd: '/home/dev/project', home: '/home/dev' };

describe('guide: add a permission rule', () => {
  let config: string;
  beforeEach(() => (config = mkdtempSync(join(tmpdir(), 'ollie-guide-'))));
  afterEach(() => rmSync(config, { recursive: true }));

  const verdict = async (yaml: string, cmd: string): Promise<unknown> => {
    writeFileSync(join(config, 'permissions.yaml'), yaml);
    const permissions = await Permissions.load({ packaged: join(packageRoot(), 'config'), config, home: context.home });
    return permissions.judge({ tool: 'shell', args: { cmd } }, context);
  };

  it('loads the rules, which tries their examples', async () => {
    const [, tried = ''] = /guard '(.*)'/.exec(trial) ?? [];
    expect(await verdict(rules, tried)).toMatchObject({ verdict: 'ask', rule: 'publish', span: { start: 12, end: tried.length } });
    expect(await verdict(rules, 'rm -rf plans')).toMatchObject({ verdict: 'deny', rule: 'plans' });
  });

  it('asks about all that is not listed', async () => {
    expect(await verdict(listed, 'git diff | sort')).toMatchObject({ verdict: 'allow' });
    expect(await verdict(listed, 'git diff > a')).toMatchObject({ verdict: 'ask', rule: 'default' });
  });

  it('changes rules of the guard', async () => {
    expect(await verdict(changes, 'rm -rf .git')).toMatchObject({ verdict: 'allow' });
    expect(await verdict(changes, 'git reset --hard')).toMatchObject({ verdict: 'ask', id: 'discard-work' });
  });
});
