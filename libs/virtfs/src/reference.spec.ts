import { ask } from './ask.js';
import { command } from './command.js';
import { control } from './control.js';
import { dir, dirOf } from './dir.js';
import { renderReference } from './reference.js';
import { text } from './text.js';

interface Session {
  readonly id: string;
}

const namespace = dir<object>(
  {
    help: text('This | <that>', () => ''),
    session: dirOf<object, Session>(
      { new: ask('Create a session', () => '', { usage: ['name=X cwd=Y'] }) },
      { label: '{session}', entries: () => [], find: () => undefined },
      dir<Session>(
        {
          id: text('Immutable id', (s) => s.id),
          ctl: control('Control', { kill: command('End it', () => undefined), say: command('Repeat', () => undefined, '<text>') }),
        },
        { about: 'A session' },
      ),
    ),
  },
  { aliases: { s: 'session' } },
);

describe('the reference of a tree', () => {
  it('is plain text with path, mode, kind, description, usage and commands', () => {
    expect(renderReference(namespace, 'text')).toBe(
      [
        'help                   0444  text     This | <that>',
        'session/               0555  dir',
        'session/new            0660  ask      Create a session',
        '    name=X cwd=Y',
        'session/{session}/     0555  dir      A session',
        'session/{session}/id   0444  text     Immutable id',
        'session/{session}/ctl  0660  control  Control',
        '    kill        End it',
        '    say <text>  Repeat',
        '    help        List these commands',
        '',
      ].join('\n'),
    );
  });

  it('is markdown with a table and the usage of each file below', () => {
    const lines = renderReference(namespace, 'markdown').split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '| Path | Mode | Kind | What it is |',
      '| --- | --- | --- | --- |',
      '| `help` | 0444 | text | This \\| &lt;that> |',
      '| `session/` | 0555 | dir |  |',
    ]);
    const at = lines.indexOf('### `session/{session}/ctl`');
    expect(lines.slice(at, at + 7)).toEqual([
      '### `session/{session}/ctl`',
      '',
      '```text',
      'kill        End it',
      'say <text>  Repeat',
      'help        List these commands',
      '```',
    ]);
    expect(lines).toContain('### `session/new`');
  });
});
