import { join } from 'node:path';
import { loadYaml, packageRoot, parseYaml } from '#config';
import { Guard } from '#guard';

const rule = `
- id: destroy-infrastructure
  class: infrastructure
  verdict: ask
  why: it destroys what terraform has built
  when:
    - { program: [terraform, tofu], subcommand: [destroy] }
    - { program: [terraform, tofu], subcommand: [apply], options: [destroy], without: [help] }
  examples:
    - terraform destroy
    - terraform apply -destroy -auto-approve
    - cd infra && sudo -u dev tofu destroy
    - t=terraform; "$t" 'des'troy
  counter-examples:
    - terraform plan -destroy
    - echo terraform destroy
    - terraform apply
`;

/** The commands that try a rule by hand; the first runs this file too. */
const commands = `
npm test -- libs/guard
toolsrv guard 'cd infra && terraform destroy'
`;

const place = { cwd: '/home/dev/infra', home: '/home/dev' };

describe('guide: add a guard rule', () => {
  let guard: Guard;
  beforeAll(async () => {
    const shipped = Object(loadYaml(join(packageRoot(), 'config/guard.yaml'))) as { rules: readonly unknown[] }; // our own file has rules
    const added = parseYaml(rule, 'the guide');
    guard = await Guard.from({ ...shipped, rules: [...shipped.rules, ...(Array.isArray(added) ? added : [])] }, 'the guide');
  });

  it('refuses its examples and lets its counter-examples pass', () => {
    const found = guard.rules.find(({ id }) => id === 'destroy-infrastructure');
    expect(found?.examples).toHaveLength(4);
    for (const command of found?.examples ?? []) expect(guard.judge(command, place)).toMatchObject({ id: 'destroy-infrastructure' });
    for (const command of found?.counterExamples ?? []) expect(guard.judge(command, place)).toMatchObject({ verdict: 'allow' });
  });

  it('finds it in the command of the guide', () => {
    const [, tried = ''] = /guard '(.*)'/.exec(commands) ?? [];
    expect(guard.judge(tried, place)).toMatchObject({ verdict: 'ask', rule: 'infrastructure', span: { start: 12, end: tried.length } });
  });
});
