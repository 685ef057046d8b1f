/**
 * A limit on work: it is over when so much time has passed, and this process has worked for so long as well. A machine that is busy with
 * other things must not make an ordinary command look like one that costs too much.
 */
export class Deadline {
  private readonly started = performance.now();
  private readonly worked = process.cpuUsage();

  constructor(private readonly ms: number) {}

  get isOver(): boolean {
    if (performance.now() - this.started <= this.ms) return false;
    const { user, system } = process.cpuUsage(this.worked);
    return (user + system) / 1000 > this.ms;
  }
}
