import { type Claims, tests as t } from './proof.js';

/** What was decided of the namespace beyond its description. */
export const DECISIONS: Claims = {
  D1: {
    holds: 'a tool server for a session, lazily, ended when idle; tools loaded anew; numbers go on; discovery by one of its own',
    proofs: [
      t.hands(
        'start at the first need, and are one process for all agents',
        'stop when idle, start again at the next need, and then have the tools of before',
        'number processes on from one tool server to the next, also when one was killed',
      ),
      t.manyAgents('need no tool server as long as they only are there, and one once there is something to do'),
      t.kept('follows names, pauses and settings, and forgets what was killed'),
      t.keptProcesses('are numbered on after %s, calls that somebody waits for counted too'),
      t.shell('lists what the host offers as tools, from a tool server of its own that is gone afterwards'),
      t.broken('fail what needs them with the words of the contract, and nothing else'),
    ],
  },
  D12: {
    holds: 'blocking files block until they have something, or as long as a client says',
    proofs: [
      t.strategy(
        'ends a blocked read when it is flushed, and serves the connection on',
        'ends a blocked read after the time of the attach name, else of the server',
      ),
      t.kernel('lets go of a blocked reader at %s'),
      t.guest('a blocked cat ends at ^C', 'a blocked cat ends at SIGKILL', 'a blocked cat wakes at a change'),
      t.daemon('lets a blocked read go after --wait-timeout'),
      t.events('end a wait of a client that waits so long only, without a word'),
    ],
  },
  D13: {
    holds: 'a client never misses a change',
    proofs: [
      t.waitLoops(
        'end when all turns have ended, and no sooner, ${String(ROUNDS)} times',
        'end when all turns have ended, and no sooner, ${String(ROUNDS_OF_PROGRAMS)} times',
      ),
      t.cell(
        'gives what changed between two looks at once, and the newest of several',
        'wakes every waiter with the same change',
        'forgets the client unused for longest beyond 1,024 of them',
      ),
      t.tag('names the session leader, the parent and when that started', 'is left out with %s'),
      t.program('is one client with all other commands of its shell, and another client in another shell'),
      t.kernel('knows the commands of one shell as one client'),
      t.events('reach a shell that looks for the first time after its prompt, however fast the turn was'),
      t.ring('says how many are lost to a client that reads too rarely, exactly', 'remembers 1,024 clients'),
      t.seen('is at least the mark of its session leader, for every client of that'),
      t.root('approvals/pending: the question with its facts, once for each client'),
      t.agent('while a turn runs, queues, and no idle shows between the turns'),
      t.guest('the wait loop ends when all is over already'),
    ],
  },
  D14: {
    holds: 'coarse states, and an action',
    proofs: [
      t.cfg(
        'says what goes on inside a turn, and a changed model and directory count from the next request and call on',
        'is busy for some keys while a turn runs, and for model and cwd it is not',
      ),
      t.turns(
        'wake who waits for the state, at their begin and at their end',
        'end with `stop`, which calls off the request, and waiters hear of the end of the agent once',
      ),
      t.dbus('runs a prompt, and tells of states and of the chat without gaps'),
    ],
  },
  D19: {
    holds: 'prompt never interprets its text',
    proofs: [t.turns('take their text as it is: no slash and no exclamation mark means anything')],
  },
  D20: {
    holds: 'feed gives each client a value once; ollie-9p write sends what it has when its input is silent',
    proofs: [
      t.files(
        'gives each client each value once, and waits for another',
        'takes what comes before a pause as one value while the file stays open',
      ),
      t.command('write sends what has come once its input is silent, on the one open file'),
      t.latest('gives what is there at a first look, and then waits for another value'),
    ],
  },
  D21: {
    holds: 'tabs, newlines and backslashes are escaped in idx, cfg, env, stats',
    proofs: [
      t.turns('and lists have fields on one line each, whatever is in them'),
      t.registry('show their OLLIE_ variables, sorted, escaped and without secrets'),
      t.fields('stay on one line and in one column'),
    ],
  },
  D22: {
    holds: 'the end of a background process is told once, with the path of all it put out, which stays',
    proofs: [
      t.background('goes on while its agent is idle, and its end is told once, as a turn that says whence it comes'),
      t.completion('cannot be broken out of', 'holds at most 32 KiB of an output that is %s, and says where all of it is'),
      t.backgroundCalls('waits with its end until the running turn is over, and is acknowledged only then'),
      t.keptProcesses('that have ended can be read as before, long output too, once their tool server has gone and after a restart'),
      t.files(
        'turns each changed value into a turn with feed=prompt, the newest only while one runs',
        'lists the other agents and gives one a turn',
      ),
    ],
  },
  D23: {
    holds: 'the namespace directory is the user’s alone; the lock of the store tells where its owner listens',
    proofs: [
      t.directory('of %j is %s', 'is refused when others may enter it', 'is refused when it is a link'),
      t.daemon('refuses a namespace directory that others can enter', 'says in one sentence that somebody serves there already'),
      t.address(
        'is in the namespace, whatever the lock says',
        'is what the owner of the store says, when there is nothing in the namespace',
      ),
      t.lock('says who has it and where it listens, and is gone once released'),
      t.kept('belongs to one server'),
    ],
  },
  D24: {
    holds:
      'the script is the last backend; without one an error says what to do; what is killed stays away; a stopped turn leaves the queue',
    proofs: [
      t.noBackend('lists the script last, and says what to configure where a model is needed'),
      t.kept('follows names, pauses and settings, and forgets what was killed'),
      t.sweep('removes what was killed long enough ago, and nothing else'),
      t.ctl('stop: ok, or idle when nothing ran; the queue is kept'),
      t.agent('keeps the queue, which drains before the next prompt'),
      t.ids(
        'are 19 digits of nanoseconds and six of hex, each once, also within one nanosecond, and sort by their making',
        'of older servers are ids too',
      ),
      t.dbus('makes one of four, which other doors see with its agent main'),
    ],
  },
  D25: {
    holds: 'users, agents and guests may what their door lets them',
    proofs: [
      t.roles(
        'may %s',
        'may not %s',
        'finds nothing to %s',
        'is who its door says, whatever it says itself',
        'is followed by three levels of children and no more, whoever they say their parent is',
        'keeps its children where it is itself',
        'pays for what it has generated',
        'while the owner may do all of it',
      ),
      t.doors('are sockets of the user alone, by which each is who the socket says'),
      t.door('may not do what is the owner’s', 'cannot reach the door of another, nor the user’s own, with any other tool'),
      t.tcpDoors('reads, prompts and stops'),
      t.tcp('lets everybody in as a guest who reads, prompts and stops'),
    ],
  },
  D33: {
    holds: 'what is shown for approval is visible and whole',
    proofs: [
      t.broker(
        'shows nothing that a terminal would act on, and no extra takes the place of a field',
        'puts nothing before anybody that is too long to be shown whole, nor more than 256 at a time',
        'shows a request as the contract has it',
      ),
      t.visible('%j is shown as %j'),
    ],
  },
  D35: {
    holds:
      'who reads pending is an observer, and 5 s after; without one a question is refused at once; an approval is of exactly what was shown',
    proofs: [
      t.broker(
        'counts a reader as there for 5 s after its read, and as long as it has an open request in hand',
        'refuses at once while nobody is there',
      ),
      t.asked(
        'are refused at once while nobody looks',
        'let exactly what was shown leave the sandbox, once',
        'hold for the session where that was said, without another question',
      ),
    ],
    missing: 'observers on the session bus',
  },
  D48: {
    holds: 'each call has exactly one result directly after it, in every request; both are kept before what comes after them',
    proofs: [
      t.pairing('holds in every request, whatever fails, breaks off or is interrupted'),
      t.keptAgent(
        'reports a turn that was cut off, gives lost calls a result, and runs what waited, once and in order',
        'has the results of reads that had finished beside one that had not',
        'has whole pairs and an acknowledged prefix, wherever its journal was cut',
      ),
      t.kept('reports the turn that was cut off, runs what waited once and in order, and leaves the conversation whole'),
    ],
  },
  D49: {
    holds: 'the journal is the save; no kill -9 loses what was acknowledged',
    proofs: [
      t.journal(
        'is in the file when an append returns, and is read back in order',
        'loses a torn last line (%s) and nothing else, and that only with the next append',
        'is long above a megabyte, and above the size of its snapshot',
      ),
      t.snapshots('is right where a loss of power took a part of the journal that it has'),
      t.kept('is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed'),
      t.fullDisk('each write that cannot be kept is refused with the reason, and nothing of it is there'),
      t.sweep('removes old blobs that nobody speaks of'),
    ],
  },
};
