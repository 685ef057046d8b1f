import { isJsonObject, type JsonObject } from '#model';
import { objectsIn } from '../rules.js';
import { blocksOf } from './parse-messages.js';

type Placed = readonly [block: JsonObject, path: string];

/** The paths of all that is marked to be cached. */
export function cacheMarks(body: JsonObject): readonly string[] {
  const turns = objectsIn(body.messages).flatMap(({ content }, i) => placed(blocksOf(content), `messages.${i}.content`));
  const all: readonly Placed[] = [
    ...placed(objectsIn(body.tools), 'tools'),
    ...placed(blocksOf(body.system ?? []), 'system'),
    ...turns.flatMap(([block, path]) => [[block, path] as const, ...resultBlocks(block, path)]),
  ];
  return all.filter(([block]) => isJsonObject(block.cache_control)).map(([, path]) => path);
}

function resultBlocks(block: JsonObject, path: string): readonly Placed[] {
  return block.type === 'tool_result' ? placed(objectsIn(block.content), `${path}.content`) : [];
}

function placed(blocks: readonly JsonObject[], path: string): readonly Placed[] {
  return blocks.map((block, i) => [block, `${path}.${i}`]);
}
