import { commandEnd } from './command-end.js';
import { UsageError } from './usage-error.js';

describe('how a command line ends', () => {
  test('help that was asked for is no error', () => {
    expect(commandEnd('p', Object.assign(new Error('(outputHelp)'), { code: 'commander.helpDisplayed', exitCode: 0 }))).toEqual({
      code: 0,
      text: '',
    });
  });

  test('the parser has said its own: 2 without another word', () => {
    expect(commandEnd('p', Object.assign(new Error('x'), { code: 'commander.unknownOption', exitCode: 1 }))).toEqual({ code: 2, text: '' });
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
