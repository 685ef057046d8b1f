import { World } from './world.js';

/** A world with the program `reach`, from the first test of a `describe` to its last. */
export function reachingWorld(uid: number, make = () => new World(uid)): { readonly world: World; readonly reach: string } {
  let made: { readonly world: World; readonly reach: string } | undefined;
  const there = () => made ?? raise();
  beforeAll(() => {
    const world = make();
    made = { world, reach: world.compile('reach') };
  });
  afterAll(() => there().world.remove());
  return {
    get world() {
      return there().world;
    },
    get reach() {
      return there().reach;
    },
  };
}

function raise(): never {
  throw new Error('the world is not there yet');
}
