import { type Claims, tests as t } from './proof.js';

/** What the description of the 9P namespace of olliesrv, and of agents and sessions, asks for. */
export const REQUIREMENTS: Claims = {
  R93: {
    holds: 'olliesrv serves on the socket `ollie` of the namespace directory',
    proofs: [t.daemon('takes over a socket that nobody answers'), t.directory('of %j is %s')],
  },
  R94: {
    holds: 'the namespace can be mounted',
    proofs: [
      t.mounted('does all that a shell user does, by --mount', 'does all that a shell user does, by o mount'),
      t.kernel('is listed and read by everyday programs'),
      t.guest('cat, dd, head, tail and grep read files'),
      t.stock('%s'),
    ],
  },
  R95: {
    holds: 'ollie-9p does ls, read, write and rdwr without a mount',
    proofs: [
      t.shell('runs in one shell'),
      t.program('%s reads and writes'),
      t.command('ls lists names in order; -l in columns', 'rdwr sends all of its input, however it pauses, then reads the answer'),
    ],
  },
  R96: {
    holds: 'o wraps these operations',
    proofs: [t.program('%s reads and writes')],
    missing: 'o new, o prompt: words for what a write to session/new, agent/new or prompt does',
  },
  R97: {
    holds: 'stock 9p can dial it over TCP',
    proofs: [t.tcp('lets everybody in as a guest who reads, prompts and stops'), t.stock('%s')],
  },
  R98: {
    holds: 'the recipes work in a shell',
    proofs: [
      t.recipes(
        '%s: a session, an agent, a prompt, and its answer',
        'fan-out and wait-all: a turn for each agent, and all of them over',
        'plans: every line of every plan that has the word',
        'costs: what each agent has used',
        'plain-chat: what was said, without markers',
        'tells the observer of each change once, while it goes on',
      ),
      t.waitLoops('end when all turns have ended, and no sooner, ${String(ROUNDS)} times'),
      t.guest(
        'the recipes run as they are typed',
        'git diff is fed by the clock',
        'git diff is fed when an agent has a turn',
        'feed-diff.sh feeds an observer',
        'observe.sh feeds an observer',
      ),
      t.examples(
        'feed an agent every few seconds',
        'feed an agent when another has done something',
        'find plans',
        'show what all agents used',
      ),
    ],
  },
  R99: {
    holds: 'generate and ctl answer each descriptor its own',
    proofs: [t.turns('of two writers of one generate or ctl file are not mixed up')],
  },
  R100: {
    holds: 'ctl files, blocking reads, change detection and a view of its own for each client',
    proofs: [
      t.ctl('help: every command, and nothing else is one'),
      t.turns('wake who waits for the state, at their begin and at their end'),
      t.files('gives each client each value once, and waits for another'),
      t.kernel('serves others while 200 readers wait, and wakes them all'),
    ],
  },
  R101: {
    holds: 'the tree is declared in one table, and kept sessions are there at the start',
    proofs: [
      t.tables('for olliesrv'),
      t.kept('is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed'),
    ],
  },
  R102: { holds: 'backends: names', proofs: [t.root('$path: the example, and the length that stat tells'), t.answers('%s')] },
  R103: { holds: 'models: backend and model', proofs: [t.root('$path: the example, and the length that stat tells'), t.answers('%s')] },
  R104: { holds: 'agents: profile names', proofs: [t.root('$path: the example, and the length that stat tells'), t.answers('%s')] },
  R105: {
    holds: 'tools: name and description',
    proofs: [t.shell('lists what the host offers as tools, from a tool server of its own that is gone afterwards')],
  },
  R106: {
    holds: 'help names every path',
    proofs: [t.root('$path: mode, kind, and what help says'), t.tree('is what help says: every row with its mode and kind')],
  },
  R107: { holds: 'aliases: each id and its path', proofs: [t.modes('of an id in aliases is found by its path and by that id')] },
  R108: {
    holds: 'ctl: invalidate and kill',
    proofs: [t.daemon('ends when `kill` is written to its ctl, after the answer'), t.module('drops what it has cached when told to')],
  },
  R109: {
    holds: 'eventwait blocks until something happens',
    proofs: [t.events('come to eventwait: nothing old on a first look, then all that a client has not had, over its reconnects too')],
  },
  R110: {
    holds: 'generate takes text and JSON',
    proofs: [t.shell('answers one-shot generation, and says errors as a shell expects them'), t.answers('%s <- %j')],
  },
  R111: {
    holds: 'session/new makes a session and tells its name',
    proofs: [t.root('generate, session/new and agent/new: the answer on the fid of the question')],
  },
  R112: {
    holds: 'session/idx: a line a session',
    proofs: [t.root('$path: the example, and the length that stat tells'), t.renames('is seen everywhere, and the id stays')],
  },
  R113: {
    holds: 'env: OLLIE_SESSION_ID and OLLIE_*, without secrets',
    proofs: [
      t.root('$path: the example, and the length that stat tells'),
      t.secrets('reach neither a tool, nor toolsrv, nor the env file of a session'),
    ],
  },
  R114: { holds: 'paused: true or false', proofs: [t.session('pauses: no turn starts, queues fill, and they go on when it resumes')] },
  R115: {
    holds: 'ctl of a session: kill, save, invalidate, pause, resume',
    proofs: [
      t.session(
        'tells its commands',
        'pauses: no turn starts, queues fill, and they go on when it resumes',
        'drops what is cached',
        'ends it',
      ),
      t.kept('is in snapshots once `save` has answered, which says where'),
      t.answers('%s <- %j'),
    ],
  },
  R116: {
    holds: 'a session is renamed by its name',
    proofs: [t.renames('is seen everywhere, and the id stays', 'is refused when it is none, or somebody else’s')],
  },
  R117: {
    holds: 'the id of a session does not change',
    proofs: [t.renames('is seen everywhere, and the id stays'), t.modes('is opened as its mode says, and not otherwise')],
  },
  R118: {
    holds: 'agent/new makes an agent and tells its id',
    proofs: [t.root('generate, session/new and agent/new: the answer on the fid of the question')],
  },
  R119: {
    holds: 'agent/new with a prompt: the reply, and the agent is gone',
    proofs: [
      t.shell('runs in one shell'),
      t.registry('answers with the last text and is gone'),
      t.stop('is what the end of a sub-agent does whose asker goes away'),
    ],
  },
  R120: {
    holds: 'agent/idx: a line an agent',
    proofs: [
      t.root('$path: the example, and the length that stat tells'),
      t.turns('and lists have fields on one line each, whatever is in them'),
    ],
  },
  R121: { holds: 'prompt asks for a turn', proofs: [t.turns('are one at a time, and what waits comes one by one, in order')] },
  R122: {
    holds: 'fifo queues and gives back',
    proofs: [t.files('queues at the clunk without starting an idle agent, and gives one item an open')],
  },
  R123: {
    holds: 'feed blocks until another value, for each client',
    proofs: [t.files('gives each client each value once, and waits for another')],
  },
  R124: {
    holds: 'chat streams without markers',
    proofs: [
      t.recipes('plain-chat: what was said, without markers'),
      t.transcript('has in chat exactly what chat.raw gives, for any deltas'),
    ],
  },
  R125: {
    holds: 'chat.raw streams with markers',
    proofs: [
      t.tree('$path: the example, and the length that stat tells'),
      t.markup('leaves nothing but content when the marker lines are filtered out'),
    ],
  },
  R126: {
    holds: 'statewait: running, then idle',
    proofs: [t.turns('wake who waits for the state, at their begin and at their end'), t.shell('runs in one shell')],
  },
  R127: {
    holds: 'log: the last 64 KiB at once',
    proofs: [t.turns('are looked at in log without waiting, the last 64 KiB from the start of a line')],
  },
  R128: {
    holds: 'plan keeps what was written',
    proofs: [t.turns('leave the plan alone, and so does clear'), t.kernel('is written by offset, at the end and by other programs')],
    missing: 'compaction, which it is to survive',
  },
  R129: {
    holds: 'cfg is shown and set',
    proofs: [t.cfg('takes %s=%s, shows it as it was written, and an empty value is the default again')],
  },
  R130: {
    holds: 'ctl of an agent answers each command',
    proofs: [t.ctl('help: every command, and nothing else is one'), t.guest('ctl answers on the same descriptor')],
  },
  R131: {
    holds: 'stats: tokens, cost, context',
    proofs: [
      t.answers('%s: its keys'),
      t.ctl('systemprompt, usage, cost'),
      t.texts('stats counts tokens, requests, turns and steps, and shows a cost only when the provider reported one'),
    ],
  },
  R132: {
    holds: 'an agent is renamed, its id stays',
    proofs: [t.renames('is seen everywhere, while a turn runs too, and open files stay what they are')],
  },
  R133: {
    holds: 'proc/top: PID, TOOL, CMD',
    proofs: [t.background('goes on while its agent is idle, and its end is told once, as a turn that says whence it comes')],
  },
  R134: {
    holds: 'stop',
    proofs: [
      t.ctl('stop: ok, or idle when nothing ran; the queue is kept'),
      t.stop('ends what its tool runs, and the next prompt is taken'),
    ],
  },
  R135: { holds: 'compact', proofs: [], missing: 'compaction' },
  R136: { holds: 'clear', proofs: [t.ctl('clear: ok, or busy')] },
  R137: {
    holds: 'kill',
    proofs: [
      t.ctl('kill: ok, and the agent is gone'),
      t.events('tell the life of sessions and agents, with ids that stay and names that change'),
    ],
  },
  R138: {
    holds: 'inject, i',
    proofs: [
      t.asFiles('inject: a word for the running turn'),
      t.turnRaces('goes with the next tool result, marked as the words of the user'),
    ],
  },
  R139: { holds: 'agent tells the profile', proofs: [t.ctl('agent: the profile')], missing: 'another profile for an agent that is there' },
  R140: {
    holds: 'model',
    proofs: [
      t.ctl('model, models, backend'),
      t.configuration('takes another model in the middle of a turn, from the next request and call on'),
    ],
  },
  R141: { holds: 'models', proofs: [t.ctl('model, models, backend')] },
  R142: { holds: 'backend can only be read', proofs: [t.ctl('model, models, backend')] },
  R143: { holds: 'name', proofs: [t.ctl('name: told, taken, refused')] },
  R144: {
    holds: 'cwd',
    proofs: [
      t.ctl('cwd: told, taken, refused; a path is seen from where the agent is'),
      t.turns('run calls in the present directory, and systemprompt is what the model was told'),
    ],
  },
  R145: {
    holds: 'tools, tool_load, tool_unload',
    proofs: [
      t.ctl('tools, tool_load, tool_unload'),
      t.turns('offer the model what is loaded at that time, and ask the model that is chosen'),
    ],
  },
  R146: {
    holds: 'proc, proc top, term, kill, out, dismiss',
    proofs: [
      t.files('is ended, shown and forgotten by ctl', 'is killed by ctl', 'says what is no such command'),
      t.asFiles('proc: a background process has its directory while it runs and afterwards', 'proc: ctl ends what runs'),
    ],
  },
  R147: { holds: 'systemprompt', proofs: [t.turns('run calls in the present directory, and systemprompt is what the model was told')] },
  R148: { holds: 'help of ctl', proofs: [t.ctl('help: every command, and nothing else is one'), t.tables('for the commands of each ctl')] },
  R149: {
    holds: 'one toolsrv a session',
    proofs: [
      t.manyAgents('need no tool server as long as they only are there, and one once there is something to do'),
      t.hands('start at the first need, and are one process for all agents'),
    ],
  },
  R150: { holds: 'no Tauth; any name', proofs: [t.modes('is there for every name that a client gives itself, without Tauth')] },
  R151: { holds: 'owner and group', proofs: [t.modes('belongs to the user of the server and the group agent')] },
  R152: { holds: 'modes count at open', proofs: [t.modes('is opened as its mode says, and not otherwise')] },
  R184: {
    holds: 'a snapshot with id, agent, messages and taskState after every round and at a clean end',
    proofs: [
      t.keptAgent('has a snapshot after the first round, in the middle of the turn'),
      t.kept('is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed'),
    ],
  },
  R185: {
    holds: 'ids sort by creation and are unique',
    proofs: [t.ids('are 19 digits of nanoseconds and six of hex, each once, also within one nanosecond, and sort by their making')],
  },
  R191: {
    holds: 'what slash commands are to do can be done by ctl, which is where clients send them; prompt takes them for text',
    proofs: [
      t.turns('take their text as it is: no slash and no exclamation mark means anything'),
      t.ctl('help: every command, and nothing else is one'),
    ],
    missing: 'context, skills, compact; a client that sends them on',
  },
  R192: {
    holds: 'a word for the running turn, and one in its place',
    proofs: [
      t.ctl('inject, i, irw while a turn runs: one waits, the next is queued or takes its place'),
      t.turnRaces('keeps `queued` for the end of the queue, and what is rewritten is heard in its last form alone'),
    ],
  },
  R193: { holds: 'another profile', proofs: [], missing: 'another profile for an agent that is there' },
  R194: { holds: 'one turn at a time', proofs: [t.turns('are one at a time, and what waits comes one by one, in order')] },
  R195: {
    holds: 'an interrupt calls off what is under way',
    proofs: [
      t.turns('end with `stop`, which calls off the request, and waiters hear of the end of the agent once'),
      t.stop('ends what its tool runs, and the next prompt is taken'),
    ],
  },
  R196: {
    holds: 'the queue drains one by one',
    proofs: [
      t.turns('are one at a time, and what waits comes one by one, in order'),
      t.races('prompts and words put in are each heard once, prompts in order (seed %i)'),
    ],
  },
  R197: {
    holds: 'changes wake waiters',
    proofs: [
      t.turns('wake who waits for the state, at their begin and at their end'),
      t.transcript('gives each delta to the readers of both logs as it comes'),
    ],
  },
  R198: {
    holds: 'calls that only read run side by side, also those of several agents, and a session at work has a directory below /tmp/ollie',
    proofs: [
      t.calls(
        'run one after the other, and neighbours that only read side by side with results in call order',
        'run at most eight reads at a time',
      ),
      t.locks(
        'read side by side; one that writes waits for them, and those that come later for it',
        'do not wait for calls of other sessions, of shells, or in the background',
        'that wait are called off at once by a %s, and hold nobody up',
        'go on when the helper is killed below one of them',
      ),
      t.directories(
        'is there while it works, and gone once it is killed; others stay',
        'that a killed tool server has left goes with the next session’s first call',
      ),
    ],
  },
  R199: {
    holds: 'peer gives another agent a turn, at once',
    proofs: [
      t.files('lists the other agents and gives one a turn', 'returns at once while the other is at work, and is delivered after that'),
    ],
  },
};
