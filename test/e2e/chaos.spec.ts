import { describeChaos } from './chaos.js';

jest.setTimeout(90_000);

describeChaos(20, 20261130);
