import { SandboxStatus, type SandboxFacts } from '#exec';

/** A host with the given abilities; by default what the native helper can do. */
export class FakeSandboxStatus extends SandboxStatus {
  constructor(private readonly known: Partial<SandboxFacts> = {}) {
    super();
  }

  facts(): Promise<SandboxFacts> {
    return Promise.resolve({ helper: '/helper', landlock: 7, reach: 'partial', cells: false, missing: ['cells'], ...this.known });
  }
}
