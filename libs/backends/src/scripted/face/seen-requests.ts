import type { SeenRequest } from './seen-request.js';

const MOST_REQUESTS = 1000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The last requests, oldest first: as many as a test looks at, and no more than memory can bear; the newest in any case. */
export class SeenRequests {
  readonly all: SeenRequest[] = [];
  private characters = 0;

  add(request: SeenRequest): void {
    this.all.push(request);
    this.characters += request.body.length;
    while (this.all.length > MOST_REQUESTS || (this.characters > MOST_CHARACTERS && this.all.length > 1))
      this.characters -= this.all.shift()?.body.length ?? 0;
  }
}
