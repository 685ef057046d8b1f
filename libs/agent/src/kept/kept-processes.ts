import type { JsonObject } from '#model';
import { completionText, LOST_EXIT } from '../completion-text.js';
import type { AgentJournal } from './agent-journal.js';
import { endedForm, type EndedProcess, lostProcess, withEnded } from './ended-process.js';
import type { KeptState } from './kept-state.js';
import type { EndedProcesses, StartedProcess } from './process-keeper.js';

const LOST_OUTPUT = 'the server was restarted, and the process ended with it\n';

/** What an agent remembers of its background processes: those whose end is still to be told, and those that have ended. */
export class KeptProcesses implements EndedProcesses {
  private untold: readonly StartedProcess[] = [];
  private exited: readonly EndedProcess[] = [];

  constructor(private readonly journal: AgentJournal) {}

  get ended(): readonly EndedProcess[] {
    return this.exited;
  }

  /** Every end has been told. */
  get areTold(): boolean {
    return this.untold.length === 0;
  }

  restore({ processes, ended }: KeptState): void {
    this.untold = processes;
    this.exited = ended;
  }

  /** Its end is to be told, also when this process does not live to see it. */
  started({ pid, tool, command }: StartedProcess): void {
    this.untold = [...this.untold, { pid, tool, command }];
    this.journal.note({ t: 'started', pid, tool, command });
  }

  /** Goes to the disk with the prompt that tells of it: until then it is one that has not ended. */
  keepEnd(process: EndedProcess): void {
    this.journal.defer({ t: 'exited', ...endedForm(process) });
    this.exited = withEnded(this.exited, process);
  }

  /** A prompt that tells of its end waits by now. */
  told(pid: number | undefined): void {
    this.untold = this.untold.filter((process) => process.pid !== pid);
  }

  /** Nobody is to read of it any more. */
  forget(pid: number): void {
    this.journal.note({ t: 'dismissed', pid });
    this.exited = this.exited.filter((process) => process.pid !== pid);
  }

  /** Those of an earlier process have ended with it. Gives what is to be told of each. */
  lose(): readonly { readonly proc: number; readonly text: string }[] {
    return this.untold.map((process) => {
      const { pid: proc, command } = process;
      if (!this.exited.some(({ pid }) => pid === proc)) this.keepEnd(lostProcess(process, LOST_OUTPUT));
      return { proc, text: completionText(proc, { exitCode: 0, command, output: LOST_OUTPUT, isWhole: true }, LOST_EXIT) };
    });
  }

  /** Their part of a snapshot. */
  form(): JsonObject {
    return { processes: this.untold.map(({ pid, tool, command }) => ({ pid, tool, command })), ended: this.exited.map(endedForm) };
  }
}
