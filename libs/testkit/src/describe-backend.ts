import type { JsonObject } from '#model';
import { answerPromises } from './backend-promises/answer-promises.js';
import { callPromises, type Unsayable } from './backend-promises/call-promises.js';
import { CONFORMANCE } from './backend-promises/conformance-script.js';
import { failurePromises } from './backend-promises/failure-promises.js';
import { Probe, type BackendFixture } from './backend-promises/probe.js';
import { stopPromises } from './backend-promises/stop-promises.js';

/** What every backend promises, whatever is behind it. `make` gets a script in the shape of the scripted backend. */
export function describeBackend(
  name: string,
  make: (script: JsonObject) => Promise<BackendFixture>,
  unsayable: readonly Unsayable[] = [],
): void {
  describe(`${name} keeps the promises of a backend:`, () => {
    let fixture: BackendFixture;
    const probe = new Probe(() => fixture);

    beforeAll(async () => {
      fixture = await make(CONFORMANCE);
    });
    afterAll(async () => await fixture.close());

    answerPromises(probe);
    callPromises(probe, unsayable);
    stopPromises(probe);
    failurePromises(probe);
  });
}
