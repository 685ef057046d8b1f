// Runs alone: hundreds of processes at once leave nothing of the machine for others.
import { describeStorms } from './describe-storms.js';

jest.setTimeout(120_000);

describeStorms({
  moving: [
    ['chain', 200],
    ['parents', 30],
  ],
  lasting: [
    ['daemons', 1000, 1000],
    ['stopped', 500, 500],
    ['nested', 500, 64],
  ],
});
