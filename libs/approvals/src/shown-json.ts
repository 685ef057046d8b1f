import type { JsonObject } from '#model';

/** What a terminal would act on, turn around or not show, in JSON text: all of it may stand there as an escape. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** One line of JSON that is safe to look at and means exactly the same. */
export function shownJson(value: JsonObject): string {
  return JSON.stringify(value).replace(UNSEEN, escapes);
}

function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
