import { processStat, signalNumber, type ToolProcess } from '#exec';
import { command, control, dir, output, text, wait } from '#virtfs';

export const processDirectory = dir<ToolProcess>({
  out: output('Output of the process, stdout and stderr as they came', (p) => p.output.log),
  wait: wait('Waits for the end and gives the exit code', (p) => p.exit),
  stat: text('State, runtime, tool and more, key=value', (p) => processStat(p, Date.now())),
  ctl: control<ToolProcess>(
    'Process control',
    {
      term: command('Send SIGTERM to the process group', (p) => p.signal(signalNumber('TERM'))),
      kill: command('End the whole process tree at once', (p) => p.signal(signalNumber('KILL'))),
      signal: command('Send a signal, by number or name', (p, signal) => p.signal(signalNumber(signal)), '<signal>'),
      dismiss: command('Forget an exited process', (p) => p.dismiss()),
      ack: command('Its completion was delivered', (p) => p.acknowledge()),
    },
    { writeOnly: true },
  ),
});
