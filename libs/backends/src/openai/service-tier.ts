import type { JsonObject, Usage } from '#model';
import { textField } from '../wire/json-fields.js';

/** The tier that an answer was made in, where it has a price of its own. */
export function serviceTierIn(answer: JsonObject): Pick<Usage, 'serviceTier'> {
  const tier = textField(answer, 'service_tier');
  return tier === undefined || tier === 'default' || tier === 'auto' || tier === '' ? {} : { serviceTier: tier };
}
