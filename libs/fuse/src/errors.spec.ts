import { constants } from 'node:os';
import { NinepError } from '#ninep';
import { errnoOf, FuseError } from './errors.js';

const { ENOENT, EIO, EINTR } = constants.errno;

it.each<[string, unknown, number | undefined]>([
  ['an error of the tree is its errno', new NinepError('file does not exist', 'ENOENT'), ENOENT],
  ['one of our own, too', new FuseError('EIO'), EIO],
  ['a name that this system does not have is EIO', new NinepError('what', 'ENOSUCHNAME'), EIO],
  ['an abort is EINTR', AbortSignal.abort().reason, EINTR],
  ['anything else is none: a bug', new TypeError('x is undefined'), undefined],
  ['also what is no error', 'ENOENT', undefined],
  ['or nothing', null, undefined],
])('%s', (_what, error, errno) => {
  expect(errnoOf(error)).toBe(errno);
});
