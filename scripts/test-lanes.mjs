import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What a jest says within this time is shown in one piece, also when another one speaks meanwhile. */
const TOGETHER_MS = 100;

/** Runs jests, several at a time. They end when this process is told to end. */
export class Lanes {
  #root;
  #jest;
  #running = new Set();

  /** `jest` is its program. */
  constructor(root, jest) {
    [this.#root, this.#jest] = [root, jest];
    for (const signal of SIGNALS) process.once(signal, () => this.#end(signal));
  }

  /** The spec files that a jest would run. */
  async files() {
    const { code, stdout } = await this.#start(['--listTests', '--json'], () => {});
    if (code !== 0) throw new Error('jest cannot list the tests');
    return JSON.parse(stdout);
  }

  /** Runs each of `parts`, a list of files, by a jest of its own, at most `width` at a time. Gives their outcomes. */
  async run(parts, width) {
    const waiting = [...parts];
    const outcomes = [];
    const lane = async () => {
      for (let files = waiting.shift(); files; files = waiting.shift()) outcomes.push(await this.#runPart(files));
    };
    await Promise.all(Array.from({ length: width }, lane));
    return outcomes;
  }

  async #runPart(files) {
    const paths = files.map((file) => relative(this.#root, file));
    const pieces = new Pieces(showWithoutPaths);
    const ended = await this.#start(['-i', '--verbose=false', '--runTestsByPath', ...paths], (text) => pieces.take(text));
    pieces.show();
    const { text, ...outcome } = outcomeOf(ended);
    process.stdout.write(text);
    return outcome;
  }

  #start(args, onComplaint) {
    const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) };
    const child = spawn(process.execPath, [this.#jest, ...args], { cwd: this.#root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.add(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
    child.stderr.on('data', onComplaint);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.#running.delete(child);
        resolve({ code, ...output });
      });
    });
  }

  #end(signal) {
    for (const child of this.#running) child.kill(signal);
    process.kill(process.pid, signal);
  }
}

/** Gives `{ passed, failed, broken, text }`: `broken` are the files that failed, `text` is what was said before the count. */
function outcomeOf({ code, stdout, stderr }) {
  const [count, passed, failed] = /^(\d+) passed, (\d+) failed\n$/m.exec(stdout) ?? ['', 0, 1]; // without one it ended before its count
  return {
    passed: Number(passed),
    failed: Math.max(Number(failed), code === 0 ? 0 : 1),
    broken: [...stripVTControlCharacters(stderr).matchAll(/^FAIL (?:\.\/)?(\S+)/gm)].map(([, file]) => file),
    text: stdout.slice(0, stdout.length - count.length),
  };
}

/** Hands on what comes together in one piece. */
class Pieces {
  #piece = '';
  #timer;
  #show;

  constructor(show) {
    this.#show = show;
  }

  take(text) {
    this.#piece += text;
    this.#timer ??= setTimeout(() => this.show(), TOGETHER_MS);
  }

  /** What is held, at once. */
  show() {
    clearTimeout(this.#timer);
    if (this.#piece !== '') this.#show(this.#piece);
    [this.#piece, this.#timer] = ['', undefined];
  }
}

/** jest repeats the paths that it was given, which are many. */
function showWithoutPaths(text) {
  process.stderr.write(text.replace(/^.*Ran all test suites.*\n/m, ''));
}
