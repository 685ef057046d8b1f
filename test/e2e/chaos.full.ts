import { describeChaos } from './chaos.js';

jest.setTimeout(90_000);

describeChaos(200, Date.now() % 1_000_000);
