import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, packageRoot } from '#config';

/** Path of the built helper, else of the prebuilt one; undefined when there is neither. */
export function findHelper(root: string = packageRoot()): string | undefined {
  const places = ['native/build/ollie-sandbox', `native/prebuilt/linux-${process.arch}/ollie-sandbox`];
  return places.map((place) => join(root, place)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (errnoOf(error) !== undefined) return false;
    throw error;
  }
}
