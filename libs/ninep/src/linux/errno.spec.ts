import { errnoOf } from './errno.js';

it('an errno name is told as the number it has here, an unknown one as EIO', () => {
  expect([errnoOf('ENOENT'), errnoOf('EACCES'), errnoOf('ENOSUCHNAME')]).toEqual([2, 13, 5]);
});
