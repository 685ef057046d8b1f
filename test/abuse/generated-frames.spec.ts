import { describeFrames } from './generated-frames.js';

describeFrames(10_000);
