import type { Readable } from 'node:stream';

/** What a server has answered, with a body that nobody has read yet. */
export class HttpResponse extends Response {
  constructor(
    readonly stream: Readable,
    head: ResponseInit,
  ) {
    super(null, head);
  }
}
