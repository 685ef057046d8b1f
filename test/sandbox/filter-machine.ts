/** One instruction of a filter program, as the kernel takes it. */
export interface Instruction {
  readonly code: number;
  readonly yes: number;
  readonly no: number;
  readonly value: number;
}

/** What a filter looks at: the fields of struct seccomp_data that count. `args`: the low and the high 32 bits of each of six. */
export interface Call {
  readonly number: number;
  readonly arch: number;
  readonly args: readonly number[];
}

export interface Verdict {
  readonly action: number;
  readonly steps: number;
}

const RETURN = 0x06;
const LOAD_WORD = 0x20;
const AND = 0x54;
const JUMP = 0x05;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_BITS = 0x45;

/** Lines of `code jt jf k`. */
export function parseProgram(text: string): readonly Instruction[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .map(([code = 0, yes = 0, no = 0, value = 0]) => ({ code, yes, no, value }));
}

/** Runs the program as the kernel does; leaving it or an instruction that we do not write is an error. */
export function judge(program: readonly Instruction[], call: Call): Verdict {
  const words = wordsOf(call);
  let loaded = 0;
  for (let at = 0, steps = 1; ; at++, steps++) {
    const instruction = program[at];
    if (!instruction) throw new Error(`the filter ends without an answer, after ${steps} steps`);
    const { code, value } = instruction;
    if (code === RETURN) return { action: value, steps };
    if (code === LOAD_WORD) loaded = word(words, value);
    else if (code === AND) loaded = (loaded & value) >>> 0;
    else at += skipped(instruction, loaded);
  }
}

function skipped({ code, yes, no, value }: Instruction, loaded: number): number {
  if (code === JUMP) return value;
  if (code === JUMP_IF_EQUAL) return loaded === value ? yes : no;
  if (code === JUMP_IF_AT_LEAST) return loaded >= value ? yes : no;
  if (code === JUMP_IF_BITS) return (loaded & value) !== 0 ? yes : no;
  throw new Error(`unexpected instruction ${code}`);
}

function word(words: Uint32Array, offset: number): number {
  const value = words[offset / 4];
  if (value === undefined) throw new Error(`nothing lies at ${offset}`);
  return value;
}

/** Two words of instruction pointer come between; little-endian. */
function wordsOf({ number, arch, args }: Call): Uint32Array {
  return Uint32Array.of(number, arch, 0, 0, ...args);
}
