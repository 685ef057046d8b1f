import { setTimeout as wait } from 'node:timers/promises';

/** Resolves once `holds`; fails after `limitMs` with what was waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await wait(10);
  }
}
