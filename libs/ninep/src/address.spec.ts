import { formatAddress, parseAddress } from './address.js';
import { NinepError } from './errors.js';

describe('an address', () => {
  it.each([
    ['unix!/tmp/ns.me.:0/ollie', { type: 'unix', path: '/tmp/ns.me.:0/ollie' }],
    ['unix!/tmp/odd!name', { type: 'unix', path: '/tmp/odd!name' }],
    ['/tmp/t.sock', { type: 'unix', path: '/tmp/t.sock' }],
    ['/tmp/odd!name', { type: 'unix', path: '/tmp/odd!name' }],
    ['./t.sock', { type: 'unix', path: './t.sock' }],
    ['t.sock', { type: 'unix', path: 't.sock' }],
    ['tcp!localhost!5640', { type: 'tcp', host: 'localhost', port: 5640 }],
    ['tcp!*!0', { type: 'tcp', host: '*', port: 0 }],
    ['tcp!localhost:5640', { type: 'tcp', host: 'localhost', port: 5640 }],
    ['tcp!::1!5640', { type: 'tcp', host: '::1', port: 5640 }],
    ['tcp![::1]:5640', { type: 'tcp', host: '::1', port: 5640 }],
  ])('%s is read', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
    expect(parseAddress(formatAddress(parseAddress(text)))).toEqual(address);
  });

  it.each([
    '',
    'unix!',
    'tcp!',
    'tcp!localhost',
    'tcp!localhost!',
    'tcp!localhost!65536',
    'tcp!localhost!9pfs',
    'tcp!!5640',
    'udp!localhost!5640',
  ])('"%s" is refused', (text) => {
    expect(() => parseAddress(text)).toThrow(new NinepError(`illegal argument: ${text}`, 'EINVAL'));
  });
});
