import { ProcessLauncher, type Run, type RunEnd, type RunListener } from '#exec';
import type { RunOrder } from '#sandbox';

/** A run that a test steers. `terminate` and `kill` end it by the signal, as a well-behaved process would. */
export class FakeRun implements Run {
  readonly ended: Promise<RunEnd>;
  readonly signals: number[] = [];
  private settle: (end: RunEnd) => void = () => undefined;

  constructor(
    readonly order: RunOrder,
    readonly stdin: string,
    private readonly listener: RunListener,
  ) {
    this.ended = new Promise((resolve) => (this.settle = resolve));
    listener.started({ pid: 4711, sandbox: order.policy === undefined ? 'none' : 'partial', missing: ['cells'] });
  }

  write(text: string | Uint8Array): void {
    this.listener.output(Buffer.from(text));
  }

  exit(code = 0, left = 0): void {
    this.settle({ type: 'exit', code, left });
  }

  end(end: RunEnd): void {
    this.settle(end);
  }

  signal(number: number): void {
    this.signals.push(number);
  }

  terminate(): void {
    this.settle({ type: 'signal', signal: 15, left: 0 });
  }

  kill(): void {
    this.settle({ type: 'signal', signal: 9, left: 0 });
  }
}

/** Starts nothing; every launch is a FakeRun in `runs`, handed to `onRun` if that is set. */
export class FakeProcessLauncher extends ProcessLauncher {
  readonly runs: FakeRun[] = [];

  constructor(private readonly onRun: (run: FakeRun) => void = () => undefined) {
    super();
  }

  launch(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    const run = new FakeRun(order, Buffer.from(stdin ?? []).toString('utf8'), listener);
    this.runs.push(run);
    this.onRun(run);
    return run;
  }
}
