import { type Claim, type Claims, type Proof, tests as t } from './proof.js';

const SESSION = 'session/{session}';
const AGENT = `${SESSION}/agent/{agent}`;

/** Above an agent: mode, kind, place in help; literal example and length. */
const above = t.root('$path: mode, kind, and what help says');
const aboveRead = t.root('$path: mode, kind, and what help says', '$path: the example, and the length that stat tells');
const asked = t.root('$path: mode, kind, and what help says', '$path: length 0', '%s <- %j: %s');
/** The same of the files of an agent. */
const own = t.tree('$path: mode and kind', 'is what help says: every row with its mode and kind');
const ownRead = t.tree(
  '$path: mode and kind',
  'is what help says: every row with its mode and kind',
  '$path: the example, and the length that stat tells',
);

const row = (holds: string, ...proofs: readonly Proof[]): Claim => ({ holds, proofs });
const onAgent = (rows: Claims): Claims => Object.fromEntries(Object.entries(rows).map(([path, claim]) => [`${AGENT}/${path}`, claim]));

/** Each row of the tree, and each command of a ctl as `path: word`. */
export const ROWS: Claims = {
  backends: row(
    'names, the script last',
    aboveRead,
    t.noBackend('lists the script last, and says what to configure where a model is needed'),
  ),
  models: row('backend and model', aboveRead),
  agents: row('profiles', aboveRead),
  tools: row(
    'name and description, padded',
    aboveRead,
    t.shell('lists what the host offers as tools, from a tool server of its own that is gone afterwards'),
  ),
  help: row('all of this', aboveRead, t.tree('is what help says: every row with its mode and kind')),
  aliases: row('ids and paths', aboveRead, t.modes('of an id in aliases is found by its path and by that id')),
  ctl: row('answers, and refuses what is no command', aboveRead, t.server('tells its commands')),
  'ctl: invalidate': row('drops what is cached', t.module('drops what it has cached when told to'), t.answers('%s <- %j')),
  'ctl: kill': row('stops in order', t.daemon('ends when `kill` is written to its ctl, after the answer')),
  'ctl: trust': row('a policy as it is now', t.server('trusts the policy of a project as it is now, by %s', 'trusts nothing else')),
  'ctl: help': row('the commands', t.server('tells its commands')),
  eventwait: row(
    'events since the last look of this client',
    aboveRead,
    t.events(
      'come to eventwait: nothing old on a first look, then all that a client has not had, over its reconnects too',
      'tell the life of sessions and agents, with ids that stay and names that change',
      'are not for agents',
    ),
    t.ring('says how many are lost to a client that reads too rarely, exactly'),
    t.topics('have each topic'),
  ),
  events: row(
    'the same as a log',
    t.root('events: the lines of eventwait as a log with an epoch, of the length that stat tells'),
    t.events(
      'are a log: a saved offset is an exact catch-up, and its end blocks',
      'that are gone from the log are one line, which says how many and where it goes on',
    ),
    t.clients('end with the same events and the same bytes of chat'),
  ),
  generate: row(
    'an answer without tools and history',
    asked,
    t.shell('answers one-shot generation, and says errors as a shell expects them'),
    t.turns('of two writers of one generate or ctl file are not mixed up'),
  ),
  approvals: row('for the user alone', above, t.approvals('have modes of their own'), t.roles('finds nothing to %s')),
  'approvals/pending': row(
    'each open request once for a client',
    t.root('approvals/pending: the question with its facts, once for each client'),
    t.asked('are asked for where a rule asks, and name it'),
  ),
  'approvals/resolve': row(
    'an answer',
    asked,
    t.approvals('answer a question of an agent', 'take no answer to what is not asked, or is none'),
    t.asked('hold for the session where that was said, without another question'),
  ),
  'approvals/log': row(
    'who decided what',
    aboveRead,
    t.broker('publishes and writes down who decided what, without environment and without answers'),
  ),
  session: row('a directory', above),
  'session/new': row('makes a session', asked, t.root('generate, session/new and agent/new: the answer on the fid of the question')),
  'session/idx': row('a line a session', aboveRead, t.session('pauses: no turn starts, queues fill, and they go on when it resumes')),
  [SESSION]: row(
    'a directory by name and id, which mv and rmdir change',
    above,
    t.module('walks ids and the short name of session, and lists neither', 'removes a session by ctl, and by removal of its directory'),
    t.renames('is seen everywhere, and the id stays'),
  ),
  [`${SESSION}/env`]: row(
    'OLLIE_* without secrets',
    aboveRead,
    t.registry('show their OLLIE_ variables, sorted, escaped and without secrets'),
    t.secrets('reach neither a tool, nor toolsrv, nor the env file of a session'),
  ),
  [`${SESSION}/paused`]: row('true or false', aboveRead, t.session('pauses: no turn starts, queues fill, and they go on when it resumes')),
  [`${SESSION}/ctl`]: row('answers', aboveRead, t.session('tells its commands')),
  [`${SESSION}/ctl: kill`]: row('ends it', t.session('ends it')),
  [`${SESSION}/ctl: save`]: row(
    'writes snapshots, says where',
    t.kept('is in snapshots once `save` has answered, which says where'),
    t.keptAgent('has them in a snapshot too'),
  ),
  [`${SESSION}/ctl: invalidate`]: row('drops what is cached', t.session('drops what is cached')),
  [`${SESSION}/ctl: pause`]: row(
    'no turn starts',
    t.session(
      'pauses: no turn starts, queues fill, and they go on when it resumes',
      'lets a running turn finish',
      'may be told twice, and is told to agents that come later',
    ),
  ),
  [`${SESSION}/ctl: resume`]: row('turns start again', t.session('pauses: no turn starts, queues fill, and they go on when it resumes')),
  [`${SESSION}/ctl: help`]: row('the commands', t.session('tells its commands')),
  [`${SESSION}/name`]: row(
    'told and taken',
    aboveRead,
    t.renames('is seen everywhere, and the id stays', 'is refused when it is none, or somebody else’s'),
  ),
  [`${SESSION}/id`]: row('stays', aboveRead, t.renames('is seen everywhere, and the id stays')),
  [`${SESSION}/agent`]: row('a directory', above),
  [`${SESSION}/agent/new`]: row(
    'makes an agent, or gives the reply of one',
    asked,
    t.registry('get the id as answer, and name, directory, backend and model as asked', 'answers with the last text and is gone'),
    t.module('lets a sub-agent run on when its writer does not read'),
    t.broken('fail what needs them with the words of the contract, and nothing else'),
  ),
  [`${SESSION}/agent/idx`]: row('a line an agent', aboveRead, t.turns('and lists have fields on one line each, whatever is in them')),
  [AGENT]: row(
    'a directory by name and id',
    above,
    t.tree('has the files of the contract, and no others'),
    t.module('removes an agent by ctl, and by removal of its directory'),
  ),
  ...onAgent({
    prompt: row(
      'a turn, running when the close is over',
      own,
      t.turns('are one at a time, and what waits comes one by one, in order'),
      t.agent('has started the turn when it returns, with the transcript held'),
      t.kernel('has done what was written when the close is over'),
    ),
    fifo: row(
      'queues, gives back one an open',
      ownRead,
      t.files(
        'queues at the clunk without starting an idle agent, and gives one item an open',
        'finishes one item in pieces of any size, then ends',
        'takes no more than 16 MiB',
      ),
    ),
    feed: row(
      'the newest value',
      ownRead,
      t.files(
        'gives each client each value once, and waits for another',
        'takes what comes before a pause as one value while the file stays open',
      ),
      t.kept('is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed'),
    ),
    chat: row(
      'what is said, as it comes',
      ownRead,
      t.transcript('shows a turn in chat as the contract does', 'has a form in chat for every role'),
      t.guest('cat of chat streams until the turn ends'),
    ),
    'chat.raw': row(
      'the same in blocks',
      ownRead,
      t.markup('writes the contract example', 'escapes lines that look like markers and no others'),
      t.liveOutput('is in chat.raw as it comes, and then again as the result; chat and log do not change for it'),
    ),
    statewait: row(
      'the next state',
      ownRead,
      t.turns(
        'wake who waits for the state, at their begin and at their end',
        'end with `stop`, which calls off the request, and waiters hear of the end of the agent once',
      ),
    ),
    log: row('the end of chat at once', ownRead, t.turns('are looked at in log without waiting, the last 64 KiB from the start of a line')),
    plan: row(
      'bytes',
      ownRead,
      t.kernel('is written by offset, at the end and by other programs'),
      t.guest('cp, dd and truncate work on the plan'),
      t.kept('is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed'),
    ),
    cfg: row(
      'settings, all or none of a write',
      ownRead,
      t.cfg(
        'shows every key of the contract in its order, and its true length',
        'refuses %s as the contract says, with all other lines of that write',
        'is all or nothing a write, line by line across writes',
        'is busy for some keys while a turn runs, and for model and cwd it is not',
      ),
    ),
    ctl: row(
      'commands and answers',
      ownRead,
      t.ctl('help: every command, and nothing else is one'),
      t.asFiles('ctl: a refused command stands in the answer of the same descriptor'),
    ),
    stats: row('counts', ownRead, t.answers('%s: its keys'), t.texts('the sandbox is that of the newest tool that ran')),
    name: row('told and taken', ownRead, t.renames('is seen everywhere, while a turn runs too, and open files stay what they are')),
    id: row('stays', ownRead, t.renames('is seen everywhere, while a turn runs too, and open files stay what they are')),
    peer: row('the other agents', own, t.files('lists the other agents and gives one a turn')),
    'peer/{other}': row(
      'a turn for another',
      own,
      t.files(
        'lists the other agents and gives one a turn',
        'returns at once while the other is at work, and is delivered after that',
        'knows no agent of that name, nor the agent itself',
      ),
      t.asFiles('peer: one agent writes to another'),
    ),
    ctx: row('the messages', own, t.files('is one file a message under numbers that stay')),
    'ctx/idx': row('a line a message', ownRead, t.files('is one file a message under numbers that stay')),
    'ctx/{number}': row('a message', ownRead, t.files('is one file a message under numbers that stay')),
    budget: row(
      'limits and what is spent',
      ownRead,
      t.files('shows what was written and what is spent', 'refuses %j whole'),
      t.kept('follows names, pauses and settings, and forgets what was killed'),
    ),
    proc: row('background processes', own, t.files('has the directory of a background process, while it runs and after')),
    'proc/top': row(
      'those that run',
      ownRead,
      t.background('goes on while its agent is idle, and its end is told once, as a turn that says whence it comes'),
    ),
    'proc/{pid}': row('a directory each', own, t.files('has the directory of a background process, while it runs and after')),
    'proc/{pid}/out': row(
      'what it put out',
      ownRead,
      t.asFiles('proc: tail -f follows the output of a process'),
      t.keptProcesses('that have ended can be read as before, long output too, once their tool server has gone and after a restart'),
    ),
    'proc/{pid}/stat': row(
      'its state',
      ownRead,
      t.keptProcesses(
        'that have ended can be read as before, long output too, once their tool server has gone and after a restart',
        'that the end of the server cut off say so, with what they had put out before an orderly end',
      ),
    ),
    'ctl: stop': row('ok or idle', t.ctl('stop: ok, or idle when nothing ran; the queue is kept')),
    'ctl: clear': row('ok or busy', t.ctl('clear: ok, or busy')),
    'ctl: kill': row('ok', t.ctl('kill: ok, and the agent is gone')),
    'ctl: ask': row(
      'the answer of the user',
      t.approvals('answer a question of an agent', 'refuse a question at once while nobody is there, and give the words of a refusal'),
    ),
    'ctl: inject': row(
      'ok, queued or idle',
      t.ctl(
        'inject: the next tool result of a running turn',
        'inject, i, irw while a turn runs: one waits, the next is queued or takes its place',
      ),
    ),
    'ctl: i': row('the same', t.ctl('inject, i, irw while a turn runs: one waits, the next is queued or takes its place')),
    'ctl: irw': row(
      'in the place of what waits',
      t.ctl('inject, i, irw while a turn runs: one waits, the next is queued or takes its place'),
    ),
    'ctl: agent': row('the profile', t.ctl('agent: the profile')),
    'ctl: model': row(
      'told and taken',
      t.ctl('model, models, backend'),
      t.configuration('takes another model in the middle of a turn, from the next request and call on'),
    ),
    'ctl: models': row('the present one marked', t.ctl('model, models, backend')),
    'ctl: backend': row('told only', t.ctl('model, models, backend')),
    'ctl: name': row('told and taken', t.ctl('name: told, taken, refused')),
    'ctl: cwd': row('told and taken', t.ctl('cwd: told, taken, refused; a path is seen from where the agent is')),
    'ctl: tools': row('the loaded ones', t.ctl('tools, tool_load, tool_unload')),
    'ctl: tool_load': row('one more', t.ctl('tools, tool_load, tool_unload')),
    'ctl: tool_unload': row('one less', t.ctl('tools, tool_load, tool_unload')),
    'ctl: proc': row(
      'list, top, out, term, kill, dismiss',
      t.files('is ended, shown and forgotten by ctl', 'is killed by ctl', 'says what is no such command'),
      t.asFiles('proc: a background process has its directory while it runs and afterwards'),
    ),
    'ctl: systemprompt': row(
      'what the model is told',
      t.turns('run calls in the present directory, and systemprompt is what the model was told'),
    ),
    'ctl: usage': row('tokens', t.ctl('systemprompt, usage, cost')),
    'ctl: cost': row('cost', t.ctl('systemprompt, usage, cost')),
    'ctl: queue': row('list, pop, clear', t.ctl('queue, queue pop, queue clear')),
    'ctl: agents': row('profiles', t.ctl('agents, sessions')),
    'ctl: sessions': row('session/idx', t.ctl('agents, sessions')),
    'ctl: history': row('ctx/idx', t.files('is one file a message under numbers that stay')),
    'ctl: help': row('the commands', t.ctl('help: every command, and nothing else is one')),
  }),
};
