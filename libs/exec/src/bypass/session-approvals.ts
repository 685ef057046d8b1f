import type { BypassRequest } from './bypass-request.js';
import type { Approval } from './decision.js';

const MAX_APPROVALS = 1024;

/** Approvals for a session: they hold for exactly the same call in the same directory. Of too many, the oldest is forgotten. */
export class SessionApprovals {
  private readonly known = new Map<string, Approval>();

  add({ id, binding }: BypassRequest, approval: Approval): void {
    this.known.set(binding, { ...approval, request: id });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_APPROVALS && oldest !== undefined) this.known.delete(oldest);
  }

  for({ binding }: BypassRequest): Approval | undefined {
    return this.known.get(binding);
  }
}
