import { isSecretName } from './secret-name.js';
import { expandTilde } from './tilde.js';

describe('names', () => {
  it.each(['OLLIE_OPENAI_KEY', 'TOKEN', 'github_token', 'DB_PASSWORD', 'AWS_CREDENTIALS', 'X_SECRET', 'X_SECRET_FILE'])(
    '%s holds a secret',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );

  it.each(['OLLIE_MODEL', 'KEYBOARD', 'TOKENS_PER_SECOND', 'MONKEY'])('%s holds none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it.each([
    ['~', '/h'],
    ['~/a', '/h/a'],
    ['~other/a', '~other/a'],
    ['/a/~', '/a/~'],
  ])('%s expands to %s', (path, expanded) => {
    expect(expandTilde(path, '/h')).toBe(expanded);
  });
});
