import { join } from 'node:path';
import { Ollie, type Outcome } from '../e2e/ollie.js';
import { describeMount } from './describe-mount.js';

jest.setTimeout(120_000);

const ROUNDS = 60;

/** `mv` goes to and fro while readers go on; each reader says what it must not see, and how often it saw what it should. */
describeMount('mv of sessions and agents on a mount', () => {
  const ollie = new Ollie();
  const directory = join(ollie.folder, 'mnt');
  const sh = (script: string): Promise<Outcome> => ollie.sh(`cd ${directory}\n${script}`);
  let session: string;
  let agent: string;

  beforeAll(async () => {
    await ollie.start({ args: ['--mount', directory] });
    await sh(
      'echo name=s0 > session/new; echo name=a0 > session/s0/agent/new; echo say hello > session/s0/agent/a0/prompt; cat session/s0/agent/a0/chat',
    );
    session = (await sh('cat session/s0/id')).stdout.trim();
    agent = (await sh('cat session/s0/agent/a0/id')).stdout.trim();
  });
  afterAll(() => ollie.destroy());

  it('keeps reads by id, and gives reads by name either the file or nothing', async () => {
    const script = `
      moving() { [ ! -e ${ollie.folder}/moved ]; }
      tally() { echo "$1 read" >> ${ollie.folder}/tally; }
      by_id() {
        while moving; do
          [ "$(cat session/${session}/agent/${agent}/id)" = ${agent} ] && tally by-id || echo "by id: something else"
        done
      }
      by_name() {
        while moving; do
          for f in session/*/agent/*/id; do
            id=$(cat "$f" 2> "$1") && { [ "$id" = ${agent} ] && tally by-name || echo "by name: $id"; }
            grep -vE '(No such file or directory|Stale file handle)$' "$1"
          done
        done
      }
      listing() {
        while moving; do
          ls session > "$1" && grep -qxE 's[01]' "$1" && [ "$(wc -l < "$1")" = 3 ] && tally listed || { echo "listed:"; cat "$1"; }
        done
      }
      opened() {
        exec 3< session/s0/agent/a0/chat
        while moving; do sleep 0.05; done
        [ "$(cat <&3)" = "$(cat session/${session}/agent/${agent}/chat)" ] && tally opened || echo 'opened: something else'
      }
      waiting() { [ "$(cat session/s0/agent/a0/statewait)" = running ] && tally waited || echo 'waited: something else'; }
      inside() {
        cd session/s0/agent/a0
        while [ ! -e ${ollie.folder}/moved ]; do [ "$(cat id)" = ${agent} ] && tally inside || echo "inside: something else"; done
      }
      opened & opened=$!
      waiting & inside & by_id & by_name ${ollie.folder}/complaints & listing ${ollie.folder}/listed &
      sleep 0.3
      for i in $(seq ${String(ROUNDS)}); do
        mv -T session/s0 session/s1 && mv -T session/s1/agent/a0 session/s1/agent/a1 || echo "mv there: $i"
        mv -T session/s1/agent/a1 session/s1/agent/a0 && mv -T session/s1 session/s0 || echo "mv back: $i"
      done
      touch ${ollie.folder}/moved
      wait $opened # which looks twice, and is to see the same
      echo say woken > session/s0/agent/a0/prompt
      wait
      sort ${ollie.folder}/tally | uniq -c`;
    const { stdout, stderr } = await sh(`timeout 60 sh -c '${script.replaceAll("'", `'\\''`)}'`);
    const lines = stdout.trim().split('\n');
    expect({ unexpected: lines.filter((line) => !/^ *\d+ \S+ read$/.test(line)), stderr }).toEqual({ unexpected: [], stderr: '' });
    const seen = new Map(lines.map((line) => line.trim().split(' ') as [string, string]).map(([count, name]) => [name, Number(count)]));
    expect([...seen.keys()].sort()).toEqual(['by-id', 'by-name', 'inside', 'listed', 'opened', 'waited']);
    for (const name of ['by-id', 'by-name', 'inside', 'listed']) expect([name, (seen.get(name) ?? 0) > 10]).toEqual([name, true]);
  });

  it('leaves one of each behind, by its name and by its id', async () => {
    const { stdout } = await sh(
      `ls session session/s0/agent; cat session/${session}/name session/s0/agent/${agent}/name; grep -c . aliases`,
    );
    expect(stdout).toBe('session:\nidx\nnew\ns0\n\nsession/s0/agent:\na0\nidx\nnew\ns0\na0\n2\n');
  });
});
