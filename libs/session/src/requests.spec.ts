import fc from 'fast-check';
import { NotFoundError } from '#model';
import { checkAgentLine, checkSessionLine, parseAgentRequest, parseSessionRequest, type AgentRequest } from './requests.js';

const anything = (): void => undefined;

const KEYS = ['name', 'cwd', 'agent', 'profile', 'backend', 'model', 'parent', 'maxSteps'] as const;

function given(text: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parseAgentRequest(text)).filter(([, value]) => value !== undefined));
}

describe('a request on one line', () => {
  it('reads each value up to the next key', () => {
    expect(given('name=coding cwd=/home/u/my project model=m\n')).toEqual({ name: 'coding', cwd: '/home/u/my project', model: 'm' });
  });

  it('takes quoted values as they are, keys and all', () => {
    expect(given(`cwd="/a name=b" model='x y'\n`)).toEqual({ cwd: '/a name=b', model: 'x y' });
  });

  it('gives everything behind prompt= to the prompt, later lines included', () => {
    expect(given('cwd=/p prompt=set x=1 and name="y"\nthen stop\n')).toEqual({ cwd: '/p', prompt: 'set x=1 and name="y"\nthen stop' });
  });

  it('refuses an unknown key', () => {
    expect(() => given('name=x colour=red')).toThrow('illegal key: colour');
    expect(() => parseSessionRequest('name=x remote=host')).toThrow('illegal key: remote');
  });

  it('refuses words that belong to no key', () => {
    expect(() => given('coding cwd=/p')).toThrow('illegal argument: coding cwd=/p');
  });
});

describe('a request on several lines', () => {
  it('reads one pair a line', () => {
    expect(given('name=coding\ncwd=/home/u/my project model=m\n')).toEqual({ name: 'coding', cwd: '/home/u/my project model=m' });
  });

  it('skips empty lines and white space around', () => {
    expect(given('\n  name=a \n\n cwd="/p "\n\n')).toEqual({ name: 'a', cwd: '/p ' });
  });

  it('gives all lines behind prompt= to the prompt', () => {
    expect(given('cwd=/p\nprompt=fix it\ncolour=red\n\n')).toEqual({ cwd: '/p', prompt: 'fix it\ncolour=red\n' });
  });

  it('refuses unknown keys, lines without a key, and a key given twice', () => {
    expect(() => given('name=x\ncolour=red\n')).toThrow('illegal key: colour');
    expect(() => given('name=x\njust words\n')).toThrow('illegal argument: just words');
    expect(() => given('name=x\nname=y\n')).toThrow('illegal argument: name given twice');
  });
});

describe('values', () => {
  it('count as not given when empty', () => {
    expect(given('name= cwd=/p model=\n')).toEqual({ cwd: '/p' });
    expect(given('\n')).toEqual({});
    expect(given('prompt=\n')).toEqual({});
  });

  it.each(['new', 'idx', '.', '..', '-x', 'a/b', 'a b', 'x'.repeat(65)])('refuse the name %s', (name) => {
    expect(() => given(`name=${name}\ncwd=/p\n`)).toThrow(`illegal name: ${name}`);
  });

  it('take agent and profile as one thing', () => {
    expect(given('agent=coding')).toEqual({ profile: 'coding' });
    expect(given('profile=coding agent=coding')).toEqual({ profile: 'coding' });
    expect(() => given('profile=a agent=b')).toThrow('illegal value: profile=a');
  });

  it('take a number of steps only as a number', () => {
    expect(given('maxSteps=12')).toEqual({ maxSteps: 12 });
    expect(() => given('maxSteps=many')).toThrow('illegal value: maxSteps=many');
  });
});

describe('a request of any values', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9/_.~:-]{1,20}$/);
  const pair = fc.oneof(
    fc.tuple(
      fc.constant('cwd'),
      value.map((v) => `/${v}`),
    ),
    fc.tuple(fc.constantFrom('backend', 'model', 'parent'), value),
  );
  const pairs = fc.uniqueArray(pair, { selector: ([key]) => key });
  const prompt = fc.option(fc.string({ unit: fc.constantFrom('a', ' ', '=', '"', '\n', 'name=', 'prompt=') }), { nil: undefined });

  it('reads the same from one line and from several', () => {
    fc.assert(
      fc.property(pairs, prompt, (list, text) => {
        const words = list.map(([key, v]) => `${key}=${v}`);
        if (text !== undefined) words.push(`prompt=${text}`);
        const expected = { ...Object.fromEntries(list), ...(text ? { prompt: text } : {}) };
        expect(given(`${words.join(' ')}\n`)).toEqual(expected);
        expect(given(`${words.join('\n')}\n`)).toEqual(expected);
      }),
    );
  });

  it('either reads or complains with a text of the contract', () => {
    const noise = fc.array(
      fc.oneof(fc.constantFrom(...KEYS.map((key) => `${key}=`), 'prompt=', 'x=', ' ', '\n', '"', "'"), fc.string({ maxLength: 4 })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(noise, (parts) => {
        expect(complaintOf(() => given(parts.join('')))).toMatch(/^$|^illegal (key|value|name|argument): /);
      }),
    );
  });

  it('has no line that the check refuses', () => {
    fc.assert(
      fc.property(pairs, prompt, (list, text) => {
        const lines = [...list.map(([key, v]) => `${key}=${v}`), ...(text === undefined ? [] : [`prompt=${text}`])];
        for (const form of [lines.join('\n'), lines.join(' ')]) {
          for (const line of form.split('\n')) if (checkAgentLine(line, anything)) break;
        }
      }),
    );
  });
});

describe('the check of a line', () => {
  it('refuses what can be part of no request', () => {
    expect(() => checkAgentLine('colour=red', anything)).toThrow('illegal key: colour');
    expect(() => checkAgentLine('name=a/b', anything)).toThrow('illegal name: a/b');
    expect(() => checkSessionLine('prompt=x')).toThrow('illegal key: prompt');
    expect(() => checkSessionLine('name=s cwd=.')).toThrow('illegal value: cwd=.: the path must be absolute or begin with ~/');
  });

  it('refuses what the inspector refuses in both forms, with the words for the form of one line', () => {
    const known = ({ backend = 'acme' }: AgentRequest): void => {
      if (backend !== 'acme') throw new NotFoundError('backend', backend);
    };
    expect(checkAgentLine('backend=acme model=m', known)).toBe(false);
    expect(() => checkAgentLine('backend=nope model=m', known)).toThrow(/^no such backend: nope$/);
  });

  it('lets a line pass that is legal in one of the two forms', () => {
    expect(checkAgentLine('cwd=/with colour=red', anything)).toBe(false);
    expect(checkAgentLine('name=x cwd=/p', anything)).toBe(false);
  });

  it('says when the rest is prompt', () => {
    expect(checkAgentLine('prompt=anything', anything)).toBe(true);
    expect(checkAgentLine('cwd=/p prompt=anything', anything)).toBe(true);
    expect(checkAgentLine('cwd="/p prompt=x"', anything)).toBe(false);
  });
});

function complaintOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
