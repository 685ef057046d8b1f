import { TooCostly } from '../errors.js';
import { activate } from './glob.js';

const MAX_SIZE = 1024 * 1024;

/** Collects the fields that one word becomes: quoted text stays together, unquoted values split at IFS. */
export class Fields {
  private readonly done: string[] = [];
  private current = '';
  private started = false;
  private size = 0;

  constructor(private readonly separators: string) {}

  literal(text: string): void {
    this.add(activate(text));
    this.started ||= text !== '';
  }

  quoted(text: string): void {
    this.add(text);
    this.started = true;
  }

  /** An expansion outside of quotes: split, with its wildcards active. */
  value(text: string): void {
    let rest = '';
    for (const character of text) {
      if (!this.separators.includes(character)) {
        rest += character;
        continue;
      }
      this.literal(rest);
      rest = '';
      this.endField();
    }
    this.literal(rest);
  }

  /** `"$@"`: one field for each value, the first and last joined to what stands around. */
  list(values: readonly string[]): void {
    values.forEach((value, index) => {
      if (index > 0) this.endField();
      this.quoted(value);
    });
  }

  finish(): readonly string[] {
    this.endField();
    return this.done;
  }

  private add(text: string): void {
    this.size += text.length;
    if (this.size > MAX_SIZE) throw new TooCostly('too-complex');
    this.current += text;
  }

  private endField(): void {
    if (this.started) this.done.push(this.current);
    this.current = '';
    this.started = false;
  }
}
