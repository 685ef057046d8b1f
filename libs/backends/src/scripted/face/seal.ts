import { createHash } from 'node:crypto';

/** What stands for a provider's signature: the same model makes it of the same parts, and of no others. */
export function seal(model: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([model, ...parts]))
    .digest('base64');
}
