import { describeStorms } from './describe-storms.js';

describeStorms({
  moving: [
    ['chain', 2],
    ['chain', 30],
    ['parents', 4],
  ],
  lasting: [
    ['daemons', 60, 60],
    ['stopped', 20, 20],
    // A pass looks 64 levels deep.
    ['nested', 80, 64],
    ['descriptors', 10_000, 1],
    ['vfork', 1, 2],
  ],
});
