import { isJsonObject, type JsonObject, type JsonValue } from '#model';

/** Reads one value of a metadata file; throws an Error that says what was expected. */
export type FieldReader<T> = (value: JsonValue) => T;

export function word(pattern: RegExp, what: string): FieldReader<string> {
  return (value) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw new FieldError(what);
    return value;
  };
}

export function oneOf<T extends string>(...choices: readonly T[]): FieldReader<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new FieldError(`one of ${choices.join(', ')}`);
    return found;
  };
}

export function wholeNumber(least: number, most: number): FieldReader<number> {
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw new FieldError(`a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

export const flag: FieldReader<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new FieldError('true or false');
  return value;
};

export const words: FieldReader<readonly string[]> = (value) => {
  if (!Array.isArray(value)) throw new FieldError('a list of words');
  return value.map(nonEmpty);
};

export const commandLine: FieldReader<string | readonly string[]> = (value) => {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value) && value.length > 0) return value.map(nonEmpty);
  throw new FieldError('a list of words, or a line for sh -c');
};

export const objectSchema: FieldReader<JsonObject> = (value) => {
  if (!isJsonObject(value) || value['type'] !== 'object') throw new FieldError('a JSON Schema with type: object');
  return value;
};

function nonEmpty(value: JsonValue): string {
  if (typeof value !== 'string' || value === '') throw new FieldError('a list of words');
  return value;
}

/** A value is not what its key asks for. The message is what would be right. */
export class FieldError extends Error {
  constructor(readonly expected: string) {
    super(`expected ${expected}`);
    this.name = 'FieldError';
  }
}
