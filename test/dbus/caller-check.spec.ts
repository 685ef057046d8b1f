import { type ChildProcess, spawn } from 'node:child_process';
import { readlinkSync, realpathSync } from 'node:fs';
import { BusError } from '../../apps/olliesrv/src/dbus/bus-error.js';
import { callerCheck } from '../../apps/olliesrv/src/dbus/caller-check.js';
import { isMarked } from '../../apps/olliesrv/src/peer-check.js';
import { hasPrograms } from '../support/programs.js';
import { until } from '../support/until.js';

const describeUnmarked = hasPrograms('setpriv') && !isMarked() ? describe : describe.skip;

function runs(pid: string, program: string): boolean {
  return readlinkSync(`/proc/${pid}/exe`) === realpathSync(program);
}

describeUnmarked('who calls', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  function as(pid: number | undefined): { pidOf(): Promise<string> } {
    return { pidOf: () => Promise.resolve(String(pid)) };
  }

  async function sandboxed(): Promise<number> {
    const child = spawn('setpriv', ['--no-new-privs', process.execPath, '-e', 'setTimeout(() => {}, 60000)']);
    children.push(child);
    // setpriv marks itself before it becomes the program.
    await until('it is marked and runs', () => isMarked(String(child.pid)) && runs(String(child.pid), process.execPath));
    return child.pid ?? 0;
  }

  it('may be anybody outside of a sandbox', async () => {
    await expect(callerCheck([])(':1.1', as(process.pid))).resolves.toBeUndefined();
  });

  it('is refused from inside, but for programs that are allowed', async () => {
    const inside = as(await sandboxed());
    await expect(callerCheck([])(':1.1', inside)).rejects.toThrow('permission denied: sandboxed caller');
    await expect(callerCheck(['/bin/sh'])(':1.1', inside)).rejects.toThrow('permission denied: sandboxed caller');
    await expect(callerCheck([process.execPath])(':1.1', inside)).resolves.toBeUndefined();
    await expect(callerCheck(['all'])(':1.1', inside)).resolves.toBeUndefined();
  });

  it('is refused when it has gone', async () => {
    const gone = { pidOf: () => Promise.reject(new BusError('the session bus knows no such name')) };
    await expect(callerCheck([])(':1.1', gone)).rejects.toThrow('permission denied: the caller cannot be seen');
    await expect(callerCheck([])(':1.1', as(4_194_305))).rejects.toThrow('permission denied: the caller cannot be seen');
  });
});
