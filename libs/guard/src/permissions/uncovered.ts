import type { Circumstances, Fact } from '../rules/fact.js';
import type { Span } from '../syntax/statement.js';

/** Builtins that do nothing beyond the shell; others of this sort are not even told of as programs. */
const HARMLESS = new Set(['[', 'test', 'wait', 'type', 'let', 'jobs', 'getopts', 'hash', 'times', 'umask', 'shopt']);
const NOWHERE = /^\/dev\/(?:null|tty|std(?:in|out|err)|fd\/\d+)$/;

/** The parts of a command that no rule of a file is about: programs, files that the shell itself reads or writes, and what could not be looked at. */
export class Uncovered {
  private readonly spans: Span[] = [];
  private isLastOpen = false;

  /** The first of them. */
  get span(): Span | undefined {
    return this.spans[0];
  }

  note(fact: Fact, { span }: Circumstances, isCovered: boolean): void {
    if (fact.refines === true) {
      if (isCovered && this.isLastOpen) this.spans.pop();
      this.isLastOpen = false;
    } else if (isPart(fact)) {
      this.isLastOpen = !isCovered;
      if (!isCovered) this.spans.push(span);
    }
  }
}

function isPart({ effect, attributes, path = '' }: Fact): boolean {
  if (effect === 'run') return !HARMLESS.has(attributes?.program ?? '');
  const isOfShell = effect === 'read' || (effect === 'write' && attributes?.by === 'shell');
  return effect === 'unseen' || (isOfShell && !NOWHERE.test(path));
}
