import { commandEnd } from './command-end.js';
import { throwUsageError } from './parser-error.js';
import { UsageError } from './usage-error.js';

const parserError = (code: string, exitCode: number, message: string): Error =>
  Object.assign(new Error(message), { code: `commander.${code}`, exitCode });

describe('how a command line ends', () => {
  test('help that was asked for is no error, help that was not is 2 without another word', () => {
    expect(commandEnd('p', parserError('helpDisplayed', 0, '(outputHelp)'))).toEqual({ code: 0, text: '' });
    expect(commandEnd('p', parserError('help', 1, '(outputHelp)'))).toEqual({ code: 2, text: '' });
  });

  test.each([
    [
      'serve',
      "error: unknown option '--lisen'\n(Did you mean --listen?)",
      "unknown option '--lisen' (Did you mean --listen?); see p serve --help",
    ],
    ['', "error: unknown command 'x'", "unknown command 'x'; see p --help"],
    [
      'serve',
      "error: too many arguments for 'serve'. Expected 0 arguments but got 1.",
      "too many arguments for 'serve'. Expected 0 arguments but got 1; see p serve --help",
    ],
  ])('what the parser of %j found is 2 and one line with the next step', (subcommand, message, sentence) => {
    const thrown = errorOf(() => throwUsageError(parserError('x', 1, message), subcommand));
    expect(commandEnd('p', thrown)).toEqual({ code: 2, text: `p: ${sentence}\n` });
  });

  test('ends with a help text, and what is not the parser’s, stay what they are', () => {
    for (const error of [parserError('helpDisplayed', 0, ''), parserError('help', 1, ''), new Error('error: x')])
      expect(errorOf(() => throwUsageError(error, 'serve'))).toBe(error);
  });

  test('our usage errors are 2, anything else 1, each with one sentence', () => {
    expect(commandEnd('p', new UsageError('--x: no'))).toEqual({ code: 2, text: 'p: --x: no\n' });
    expect(commandEnd('p', new Error('socket is taken'))).toEqual({ code: 1, text: 'p: socket is taken\n' });
    expect(commandEnd('p', Object.assign(new Error('gone'), { code: 'ENOENT' }))).toEqual({ code: 1, text: 'p: gone\n' });
  });

  test('what to do follows the sentence where there is advice for the errno', () => {
    const taken = Object.assign(new Error('address in use: x'), { posix: 'EADDRINUSE' });
    expect(commandEnd('p', taken, { EADDRINUSE: 'stop it' })).toEqual({ code: 1, text: 'p: address in use: x; stop it\n' });
    expect(commandEnd('p', taken, { EACCES: 'stop it' })).toEqual({ code: 1, text: 'p: address in use: x\n' });
  });
});

function errorOf(work: () => never): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
