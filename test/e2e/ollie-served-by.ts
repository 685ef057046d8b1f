import type { ModelServer } from './model-server.js';
import { Ollie } from './ollie.js';

export interface ServedOllie {
  /** Gives what the script wrote. */
  sh(script: string): Promise<string>;
  restart(): Promise<void>;
}

/** An Ollie for all tests of a `describe`, whose environment names `server`; both end with the last of them. */
export function ollieServedBy(server: ModelServer, environment: (url: string) => Readonly<Record<string, string>>): ServedOllie {
  let ollie: Ollie;
  beforeAll(async () => {
    ollie = new Ollie({ OLLIE_BACKEND: '', ...environment(await server.listen()) });
    await ollie.start();
  });
  afterAll(async () => {
    await ollie.destroy();
    server.close();
  });
  return {
    sh: async (script) => (await ollie.sh(script)).stdout,
    restart: async () => {
      await ollie.end();
      await ollie.start();
    },
  };
}
