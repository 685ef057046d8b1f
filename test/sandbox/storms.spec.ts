import { describeStorms } from './describe-storms.js';

describeStorms({
  moving: [
    ['chain', 2],
    ['chain', 40],
    ['parents', 4],
  ],
  lasting: [
    ['daemons', 100, 100],
    ['stopped', 20, 20],
    // A pass looks 256 levels deep.
    ['nested', 270, 256],
    ['descriptors', 10_000, 1],
    ['vfork', 1, 2],
  ],
});
