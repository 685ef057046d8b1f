import { commandApart } from './command-apart.js';

const apart = (line: string): string => commandApart(line.split(' ')).join(' ');

describe('the command within a command line', () => {
  it.each([
    ['sandbox run ls -l', 'sandbox run -- ls -l'],
    ['sandbox run --policy f --cwd=/x ls --cwd y', 'sandbox run --policy f --cwd=/x -- ls --cwd y'],
    ['sandbox explain --name n cat -n', 'sandbox explain --name n -- cat -n'],
    ['sandbox run -- ls -- x', 'sandbox run -- ls -- x'],
    ['sandbox run --nope -- ls', 'sandbox run --nope -- ls'],
    ['sandbox run --help', 'sandbox run --help'],
    ['sandbox run --policy', 'sandbox run --policy'],
    ['sandbox show --json x', 'sandbox show --json x'],
    ['serve run ls', 'serve run ls'],
  ])('%s is read as %s', (line, expected) => {
    expect(apart(line)).toBe(expected);
  });
});
