/** What esbuild's `keepNames` calls with each class and each function, whenever one is made. */
const HELPER = /\((\w+),(\w+)\)=>(\w+)\(\1,"name",\{value:\2,configurable:!0\}\)/g;
const INSTEAD = '($1,$2)=>$1.prototype?$3($1,"name",{value:$2,configurable:!0}):$1';

/**
 * Programs in which arrow functions keep the short names that they were given: to name one costs 30 times what making it
 * does, and those inside of functions are made again and again. What can be made with `new` is named.
 */
export function namedOnce(files) {
  const changed = files.map(({ path, contents }) => ({
    path,
    contents: Buffer.from(String(Buffer.from(contents)).replace(HELPER, INSTEAD)),
  }));
  if (changed.every(({ contents }, index) => contents.length === files[index].contents.length))
    throw new Error('bundle: esbuild names functions in another way now');
  return changed;
}
