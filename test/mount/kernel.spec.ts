import { once } from 'node:events';
import { NinepError, type OpenFile, type Waiter } from '#ninep';
import { plainOpening, ServedDir, ServedFile, type Opening } from '#testkit';
import { until } from '../support/until.js';
import { describeMount } from './describe-mount.js';
import { MountBench, type Way } from './mount-bench.js';

jest.setTimeout(120_000);

/** Never across a multiple of 5,000. */
const pieceOf = (bytes: Buffer, offset: number, count: number): Buffer =>
  bytes.subarray(offset, Math.min(offset + count, (Math.floor(offset / 5000) + 1) * 5000));

const BIG = 8 * 1024 * 1024;

describeMount.each<Way>(['in process', 'over 9P'])('a tree mounted %s', (way) => {
  let bench: MountBench;
  let waiting = 0;
  let wake: (() => void)[] = [];
  const messages: string[] = [];
  let plan: ServedFile;

  /** Each read at 0 waits for `wake`, and ends with the signal. */
  function blocking(): OpenFile {
    const read = (offset: number, _count: number, { signal }: Waiter) =>
      offset > 0
        ? Buffer.alloc(0)
        : new Promise<Buffer>((resolve, reject) => {
            waiting++;
            const settle = (act: () => void) => () => {
              waiting--;
              signal.removeEventListener('abort', stop);
              act();
            };
            const stop = settle(() => reject(new NinepError('interrupted', 'EINTR')));
            signal.addEventListener('abort', stop, { once: true });
            wake.push(settle(() => resolve(Buffer.from('changed\n'))));
          });
    return { read, write: () => undefined, close: () => undefined };
  }

  /** One message per open, which takes effect at the close and may be refused. */
  function message(): OpenFile {
    let text = '';
    return {
      read: () => Buffer.alloc(0),
      write: (_offset, data) => void (text += Buffer.from(data).toString()),
      close: () => {
        if (text.startsWith('bad')) throw new NinepError('illegal argument: bad', 'EINVAL');
        if (text !== '') messages.push(text);
      },
    };
  }

  /** Answers each write. */
  function control(): OpenFile {
    let answer = Buffer.from('usage\n');
    return {
      read: (offset, count) => answer.subarray(offset, offset + count),
      write: (_offset, data) => {
        const text = Buffer.from(data).toString();
        if (text.startsWith('bad')) throw new NinepError('illegal command: bad', 'EINVAL');
        answer = Buffer.from(`done ${text}`);
      },
      close: () => undefined,
    };
  }

  beforeAll(async () => {
    let id = 1;
    const root = new ServedDir('/', id++);
    const add = (directory: ServedDir, name: string, mode: number, opening?: Opening): ServedFile =>
      directory.add(new ServedFile(name, id++, mode, opening));
    add(root, 'hello', 0o444).bytes = Buffer.from('hello world\n');
    add(root, 'big', 0o444).bytes = Buffer.alloc(BIG, 'some bytes that are no power of two\n');
    plan = add(root, 'plan', 0o664);
    add(root, 'wait', 0o444, blocking);
    add(root, 'prompt', 0o220, message);
    add(root, 'ctl', 0o660, control);
    add(root, 'denied', 0o444, () => {
      throw new NinepError('permission denied', 'EACCES');
    });
    add(root, 'sp ace \u00e9\u4e2d', 0o444).bytes = Buffer.from('odd\n');
    add(root, 'pieces', 0o444, (file) => ({ ...plainOpening(file), read: (offset, count) => pieceOf(file.bytes, offset, count) })).bytes =
      Buffer.alloc(100_000, 'some bytes that are no power of two\n');
    const many = root.add(new ServedDir('many', id++));
    for (let n = 0; n < 3000; n++) add(many, `entry-${n}`, 0o444);
    const dir = root.add(new ServedDir('dir', id++));
    root.add(new ServedDir('gone', id++));
    dir.add(new ServedDir('deep', id++));
    add(dir, 'file', 0o444).bytes = Buffer.from('needle\n');
    bench = await MountBench.start(root, way);
  });
  afterEach(() => {
    messages.length = 0;
    wake = [];
    if (bench.bugs.length > 0) throw new AggregateError(bench.bugs, 'bugs came up');
  });
  afterAll(() => bench.close());

  const said = async (script: string): Promise<string> => {
    const { stdout, stderr } = await bench.sh(script);
    return stdout + stderr;
  };

  it('is listed and read by everyday programs', async () => {
    expect(await said('cat hello; wc -c <big; head -c 5 hello; echo; cat "sp ace \u00e9\u4e2d"')).toBe(`hello world\n${BIG}\nhello\nodd\n`);
    expect(await said('ls many | wc -l; ls -l many | tail -1 | cut -c1-10; find . -type d | sort')).toBe(
      '3000\n-r--r--r--\n.\n./dir\n./dir/deep\n./gone\n./many\n',
    );
    expect(await said('ls -ld dir | cut -c1-10; grep -r needle dir; ls -lR dir | grep -c :; stat -c %s hello')).toBe(
      'drwxr-xr-x\ndir/file:needle\n2\n12\n',
    );
    expect(
      await said(
        'cmp big <(cat big) && dd if=big bs=1M skip=3 count=2 2>/dev/null | wc -c; cat big | md5sum | cmp - <(md5sum <big) && echo same',
      ),
    ).toBe(`${2 * 1024 * 1024}\nsame\n`);
    expect(await said('git hash-object hello; git hash-object big | wc -c')).toBe('3b18e512dba79e4c8300dd08aeb37f8e728b8dad\n41\n');
  });

  it('can be mapped into memory, also where the tree gives less than was asked for', async () => {
    expect(await said('cat pieces | git hash-object --stdin | cmp - <(git hash-object pieces) && stat -c %s pieces')).toBe('100000\n');
    const script =
      'import mmap; f=open("pieces","rb"); m=mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE); print(m[:]==open("pieces","rb").read(), len(m))';
    expect(await said(`python3 -c '${script}'`)).toBe('True 100000\n');
  });

  it('is written by offset, at the end and by other programs', async () => {
    expect(await said('echo one >plan; echo two >>plan; cat plan; cp hello plan; cat plan; truncate -s 5 plan; cat plan')).toBe(
      'one\ntwo\nhello world\nhello',
    );
    expect(
      await said('dd if=big of=plan bs=1M count=2 2>/dev/null; cmp -n 2097152 plan big && stat -c %s plan; : >plan; stat -c %s plan'),
    ).toBe('2097152\n0\n');
    expect(plan.length).toBe(0);
    expect(await said('(exec 3>>plan; echo a >&3; echo b >&3); cat plan; touch plan && echo touched; sync plan && echo synced')).toBe(
      'a\nb\ntouched\nsynced\n',
    );
  });

  /** The words of the kernel at the end of each complaint. */
  const complaints = async (script: string): Promise<readonly string[]> => {
    const { stderr } = await bench.sh(script);
    return stderr.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(line.lastIndexOf(': ') + 2)]));
  };

  it('tells errors as every program knows them', async () => {
    expect(await complaints('cat nothing; cat denied; cat dir; echo x >hello; mkdir new; touch new; ln -s a b')).toEqual([
      'No such file or directory',
      'Permission denied',
      'Is a directory',
      'Permission denied',
      'Permission denied',
      'Permission denied',
      'Operation not permitted',
    ]);
    expect(await complaints('mv hello dir/; chmod 600 plan; chown 1 plan; rmdir nothing; ls hello/x')).toEqual([
      'Permission denied',
      'Permission denied',
      'Operation not permitted',
      'No such file or directory',
      'Not a directory',
    ]);
    expect(await complaints("cat $'no\\xfftext'; echo bad >ctl; /bin/echo bad >prompt; dd if=<(echo bad) of=prompt status=none")).toEqual([
      'No such file or directory',
      'Invalid argument',
      'Invalid argument',
      'Invalid argument',
    ]);
    expect(await said('test -w hello || echo read-only; test -r prompt || echo write-only; test -x hello || echo no program')).toBe(
      'read-only\nwrite-only\nno program\n',
    );
  });

  it('answers on a descriptor that was written to, without positions', async () => {
    expect(
      await said(
        'exec 3<>ctl; cat <&3; echo one >&3; cat <&3; printf two >&3; read -r line <&3; echo "$line"; cat <&3; echo three >&3; cat <&3',
      ),
    ).toBe('usage\ndone one\ndone two\ndone three\n');
  });

  it('makes one message of all that is written between open and close', async () => {
    await bench.sh(
      'echo one >prompt; { echo a; cat hello; cat hello; echo b; } >prompt; exec 3>prompt; echo x >&3; /bin/echo y >&3; exec 3>&-; echo last >>prompt',
    );
    expect(messages).toEqual(['one\n', 'a\nhello world\nhello world\nb\n', 'x\ny\n', 'last\n']);
  });

  it('has done what was written when the close is over', async () => {
    for (let turn = 0; turn < 20; turn++) {
      await bench.sh(`echo ${turn} >prompt; echo then >prompt`);
      expect(messages.slice(-2)).toEqual([`${turn}\n`, 'then\n']);
    }
  });

  it('takes a message whose opener went before its writer', async () => {
    await bench.sh('(exec >prompt; (sleep 0.2; echo late) &)');
    await until('a message comes', () => messages.length > 0);
    expect(messages).toEqual(['late\n']);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('lets go of a blocked reader at %s', async (signal) => {
    const { child, ended } = bench.start('cat', 'wait');
    await until('it waits', () => waiting === 1);
    child.kill(signal);
    expect(await ended).toMatchObject({ signal, said: '' });
    await until('nobody waits', () => waiting === 0);
  });

  it('lets an interrupted reader read on', async () => {
    const script =
      'import signal,os,sys\nsignal.signal(signal.SIGALRM, lambda *a: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.3)\nf=os.open("wait", os.O_RDONLY)\nprint(os.read(f, 99))';
    const { ended } = bench.start('python3', '-c', script);
    await until('it reads again', () => waiting === 1 && wake.length === 2);
    for (const go of wake.slice(1)) go();
    expect(await ended).toMatchObject({ code: 0, said: "b'changed\\n'\n" });
  });

  it('serves others while 200 readers wait, and wakes them all', async () => {
    const readers = bench.start('bash', '-c', 'for i in $(seq 200); do cat wait & done; wait');
    await until('200 readers wait', () => waiting === 200, 60_000);
    expect(await said('cat hello; ls many | wc -l')).toBe('hello world\n3000\n');
    for (const go of wake) go();
    expect(await readers.ended).toMatchObject({ code: 0, said: 'changed\n'.repeat(200) });
  });

  it('knows the commands of one shell as one client', async () => {
    bench.anames.length = 0;
    await bench.sh('cat hello; cat hello; (cat hello; true); ls >/dev/null');
    const tags = new Set(bench.anames.filter((name) => /^client=\d+\.\d+\.\d+$/.test(name)));
    // Bash itself, which goes there; its commands; those of the subshell.
    expect(tags.size).toBe(3);
    expect(bench.anames).toHaveLength(3);
  });

  it('renames and removes what the tree lets go', async () => {
    expect(
      await said(
        'mv dir/deep dir/deeper && ls dir; (cd dir/deeper && mv ../deeper ../deepest && ls -a . | wc -l); rmdir dir/deepest && ls dir',
      ),
    ).toBe('deeper\nfile\n2\nfile\n');
  });

  it('is taken away by umount, which its server notices', async () => {
    const { child, ended } = bench.start('sleep', '60'); // its working directory keeps the mount busy
    await once(child, 'spawn');
    expect(await said('cd /; umount -l "$OLDPWD"; ls "$OLDPWD"')).toBe('');
    child.kill();
    await ended;
    await bench.mount?.ended;
    expect(bench.mount?.isClosing).toBe(false);
  });
});
