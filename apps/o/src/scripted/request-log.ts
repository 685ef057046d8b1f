import { appendFileSync } from 'node:fs';
import { isTooDeep, type SeenRequest } from '#backends';
import { messageOf } from '#config';
import { parseJson, type JsonValue } from '#model';
import { CommandError } from '#ninep-cli';

const SECRETS: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'proxy-authorization'];
const OWN_ONLY = 0o600;

/** One line of JSON a request: `{time, method, path, headers, body}`, the body as JSON where it is that and can be written as that. Whatever may be a key is left out. */
export class RequestLog {
  private constructor(
    private readonly file: string,
    private readonly key: string | undefined,
  ) {}

  /** Throws CommandError for a file that cannot be written. */
  static open(file: string, key: string | undefined): RequestLog {
    try {
      appendFileSync(file, '', { mode: OWN_ONLY });
    } catch (error) {
      throw new CommandError(messageOf(error));
    }
    return new RequestLog(file, key);
  }

  add({ method, path, headers, body }: SeenRequest): void {
    const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => !SECRETS.includes(name)));
    const row = {
      time: new Date().toISOString(),
      method,
      path: path.replace(/([?&]key=)[^&]*/g, '$1...'),
      headers: shown,
      body: valueOf(body),
    };
    const line = JSON.stringify(row);
    appendFileSync(this.file, `${this.key === undefined ? line : line.replaceAll(this.key, '...')}\n`);
  }
}

function valueOf(body: string): JsonValue {
  try {
    const value = parseJson(body);
    return isTooDeep(value) ? body : value;
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
