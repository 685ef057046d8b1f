import { Guard } from './guard.js';
import { isAsStrict, PLACE } from './testing/parse-cases.js';

describe('the rules of config/guard.yaml', () => {
  let guard: Guard;
  beforeAll(async () => {
    guard = await Guard.load();
  });

  it('have names that refusals may carry', () => {
    for (const { id, class: name } of guard.rules) for (const word of [id, name]) expect(word).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('refuse their examples', () => {
    const missed = guard.rules.flatMap(({ id, class: name, verdict: wanted, examples }) =>
      examples.filter((command) => {
        const { verdict, rule, id: found } = guard.judge(command, PLACE);
        return !isAsStrict(verdict, wanted) || (found !== id && rule !== name && rule !== 'privilege');
      }),
    );
    expect(missed).toEqual([]);
  });

  it('let their counter-examples pass', () => {
    const refused = guard.rules.flatMap(({ counterExamples }) =>
      counterExamples.filter((command) => isAsStrict(guard.judge(command, PLACE).verdict, 'ask')),
    );
    expect(refused).toEqual([]);
  });
});
