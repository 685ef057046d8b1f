import { area, capability, none, type Seen } from './attempt.js';
import { itself, tells } from './proofs.js';

const TWO_WAYS = 2;
/** Two attempts type one character each. */
const typed = ({ answer, typed: characters }: Seen): boolean => answer.reached || characters >= TWO_WAYS;

/** The terminal is the standard input of the tool and belongs to another session. In no sandbox these run without a helper, in that session. */
export const terminal = area('terminal', [
  { name: 'types into it', way: 'tiocsti-plain', words: none, escaped: typed, setting: 'staged', absent: /Input\/output/ },
  {
    name: 'types into it by a number that looks different',
    way: 'tiocsti',
    words: none,
    escaped: typed,
    setting: 'staged',
    absent: /Input\/output/,
  },
  { name: 'pastes into the console', way: 'tioclinux', words: none, escaped: itself, setting: 'staged' },
  { name: 'opens the terminal that controls it', way: 'controlling', words: none, escaped: itself, setting: 'staged' },
  {
    name: 'takes the terminal for its own session',
    way: 'steal',
    words: none,
    escaped: itself,
    setting: 'staged',
    needs: capability.SYS_ADMIN,
  },
  { name: 'reads what is typed in another terminal', way: 'terminal', words: (s) => [s.neighbour.of('terminal')], escaped: tells },
]);
