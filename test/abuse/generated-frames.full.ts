import { describeFrames } from './generated-frames.js';

jest.setTimeout(1_200_000);

describeFrames(1_000_000);
