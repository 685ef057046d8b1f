/** Ends of the names of an agent's files: snapshot, journal, both transcripts, what was fed. */
export const AGENT_ENDS = ['.json', '.jsonl', '.chat', '.plain', '.feed'] as const;

/** End of the name of the directory with the outputs of an agent's processes. */
export const OUTPUTS = '.out';

/** The file that says which agents have work left. */
export const WORKING = 'working.log';

/** The directory whose files say which agents were killed, and when. */
export const KILLED = 'killed';

export const SESSION = '.session.json';
export const KILLED_SESSION = '.killed.json';

/** What the files of one agent have in common. */
export interface FileBase {
  readonly directory: string;
  readonly id: string;
}

/** Where a file is. The path is made when it is needed: there are many files of which most are never opened. */
export interface FilePlace {
  readonly base: FileBase;
  readonly end: (typeof AGENT_ENDS)[number] | typeof WORKING;
}

export function pathOf({ base, end }: FilePlace): string {
  return `${base.directory}/${base.id}${end}`;
}
