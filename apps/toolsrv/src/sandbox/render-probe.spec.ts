import { probeText } from './render-probe.js';

const report = { seccomp: true, userns: false, cells: false, kernel: '6.1', machine: 'x86_64' };

describe('what a kernel enforces, in words', () => {
  it('names what is there and what is missing, with what it takes', () => {
    const text = probeText({ ...report, landlock: 3 });
    expect(text).toContain('kernel 6.1 on x86_64\nLandlock: ABI 3\n');
    expect(text).toContain('  enforced  truncating files\n  missing   TCP connections and listening (from ABI 4)\n');
    expect(text).toContain('user namespaces: not available to this user\ncells: not available');
  });

  it('says when tools have Unix sockets', () => {
    expect(probeText({ ...report, cells: true, landlock: 8 })).toContain('Unix sockets: refused, unless network.unix lists one');
    expect(probeText({ ...report, cells: true, landlock: 9 })).toContain('Unix sockets: tools have their own');
  });

  it('says that nothing runs without Landlock', () => {
    expect(probeText({ ...report, landlock: 0, seccomp: false })).toMatch(/no tool runs[\s\S]*seccomp: missing/);
  });
});
