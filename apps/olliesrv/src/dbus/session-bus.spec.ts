import { mayListen, sessionBusSocket } from './session-bus.js';

describe('where the session bus is', () => {
  it.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/run/user/1000/bus,guid=0123', '/run/user/1000/bus'],
    ['unix:guid=0123,path=/tmp/a%2cb%20c', '/tmp/a,b c'],
    ['unix:abstract=/tmp/dbus-X1,guid=0123', '\0/tmp/dbus-X1'],
    ['tcp:host=localhost,port=1;unix:path=/b', '/b'],
    ['autolaunch:', undefined],
    ['unix:runtime=yes', undefined],
    ['', undefined],
  ])('the address %s is the socket %j', (address, socket) => {
    expect(sessionBusSocket({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: '/run/user/1' })).toBe(socket);
  });

  it('is in the runtime directory when nobody says', () => {
    expect(sessionBusSocket({ XDG_RUNTIME_DIR: '/run/user/1' })).toBe('/run/user/1/bus');
    expect(sessionBusSocket({})).toBeUndefined();
  });

  it('is looked for before it is dialled', () => {
    expect(mayListen('/nonexistent/bus')).toBe(false);
    expect(mayListen('/etc')).toBe(true);
    expect(mayListen('\0/nonexistent/bus')).toBe(true);
  });
});
