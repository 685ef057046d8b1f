import { SessionAuth } from './session-auth.js';

const tokenFor = (auth: SessionAuth, secret: string): string => {
  const conversation = auth.begin('agent', 'a-1');
  void conversation.write(Buffer.from(secret));
  return Buffer.from(conversation.read(0, 100) as Uint8Array).toString();
};

const observe = (auth: SessionAuth, secret: string): string => {
  const conversation = auth.begin('observer', '');
  void conversation.write(Buffer.from(secret));
  return Buffer.from(conversation.read(0, 100) as Uint8Array).toString();
};

describe('who may attach', () => {
  test('the first secret is the secret; whoever knows it gets the same token', () => {
    const auth = new SessionAuth(true);
    const token = tokenFor(auth, 's');
    expect(token).toMatch(/^[0-9a-f]{64}\n$/);
    expect(tokenFor(auth, 's')).toBe(token);
    expect(() => tokenFor(auth, 'x')).toThrow('permission denied: bad secret');
  });

  test('a secret from the outset leaves no first client', () => {
    const auth = new SessionAuth(true);
    auth.setSecret('mine');
    expect(() => tokenFor(auth, 'other')).toThrow('permission denied: bad secret');
    expect(tokenFor(auth, 'mine')).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test('a secret is 1 to 256 bytes', () => {
    const auth = new SessionAuth(true);
    expect(() => tokenFor(auth, 'x'.repeat(257))).toThrow('permission denied: bad secret');
    expect(tokenFor(auth, 'x'.repeat(256))).toHaveLength(65);
  });

  test('nothing is read and nobody attaches before the secret was right', () => {
    const auth = new SessionAuth(true);
    const conversation = auth.begin('agent', 'a-1');
    expect(() => conversation.read(0, 100)).toThrow('permission denied: authentication required');
    expect(() => auth.checkAttach(conversation)).toThrow('permission denied: authentication required');
    expect(() => auth.checkAttach(undefined)).toThrow('permission denied: authentication required');
    void conversation.write(Buffer.from('s'));
    auth.checkAttach(conversation);
    expect(() => conversation.write(Buffer.from('wrong'))).toThrow('bad secret');
    expect(() => auth.checkAttach(conversation)).toThrow('authentication required');
  });

  test('only agents authenticate, and they say which', () => {
    const auth = new SessionAuth(true);
    expect(() => auth.begin('root', 'a-1')).toThrow('permission denied: not an agent: root');
    expect(() => auth.begin('agent', '')).toThrow('permission denied: the attach name must be an agent id');
  });

  test('observers have a secret of their own, and none is made up by who comes first', () => {
    const auth = new SessionAuth(true);
    expect(() => observe(auth, 's')).toThrow('permission denied: bad secret');
    auth.setObserverSecret('watch');
    expect(() => observe(auth, 's')).toThrow('permission denied: bad secret');
    expect(observe(auth, 'watch')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(() => tokenFor(auth, 'watch')).toThrow('permission denied: bad secret');
    expect(tokenFor(auth, 's')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(() => observe(auth, 's')).toThrow('permission denied: bad secret');
  });

  test('what observers get is good for no call', () => {
    const auth = new SessionAuth(true);
    auth.setObserverSecret('watch');
    const token = observe(auth, 'watch').trim();
    expect(() => auth.checkToken(token)).toThrow('permission denied: bad token');
  });

  test('a call must carry the token', () => {
    const auth = new SessionAuth(true);
    const token = tokenFor(auth, 's').trim();
    auth.checkToken(token);
    expect(() => auth.checkToken('')).toThrow('permission denied: bad token');
    expect(() => auth.checkToken(`${token}0`)).toThrow('permission denied: bad token');
  });

  test('without authentication there is nothing to prove', () => {
    const auth = new SessionAuth(false);
    expect(() => auth.begin('agent', 'a-1')).toThrow('permission denied: no auth required');
    auth.checkAttach(undefined);
    auth.checkToken('');
  });
});
