import type { JsonObject, Usage } from '#model';
import { textField } from './json-fields.js';

/** Names of what is served as usual. */
const USUAL = ['auto', 'default', 'standard'];

/** How a server says that it served a request, or how fast, for its usage; nothing for as usual. */
export function servedAs(answer: JsonObject | undefined): Pick<Usage, 'serviceTier'> {
  const told = ['speed', 'service_tier'].map((key) => textField(answer, key) ?? '');
  const serviceTier = told.find((name) => name !== '' && !USUAL.includes(name));
  return serviceTier === undefined ? {} : { serviceTier };
}
