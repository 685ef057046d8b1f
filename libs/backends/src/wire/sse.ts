import { createParser } from 'eventsource-parser';

/** Ends whatever line is open, and its event. */
const END = '\n\n';

/** Server-sent events to their data. Text may come cut anywhere. */
export class SseDecoder {
  private found: string[] = [];
  private heldCharacters = 0;
  private readonly parser = createParser({
    onEvent: ({ data }) => {
      this.found.push(data);
      this.heldCharacters = 0;
    },
  });

  /** At least what is held of an event that is not complete, but for what the last piece brought of it: what came since the last event. */
  get unfinished(): number {
    return this.heldCharacters;
  }

  /** The data of the events that this piece completes. */
  push(text: string): readonly string[] {
    this.heldCharacters += text.length;
    this.parser.feed(text);
    return this.taken();
  }

  /** The data of an event that the end of the stream left without its empty line. */
  end(): readonly string[] {
    return this.push(END);
  }

  private taken(): readonly string[] {
    const { found } = this;
    this.found = [];
    return found;
  }
}
