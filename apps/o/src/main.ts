import { runCommand, runProcess } from '#ninep-cli';

const argv = process.argv.slice(2);

const more = [
  ['demo', 'watch an agent repair a small broken project'],
  ['mount [-f] [DIR]', 'mount the namespace on DIR, $OLLIE or ~/mnt/ollie; -f: stay in the foreground'],
  ['umount [DIR]', 'take that mount away'],
] as const;

void runProcess(process.env, async (world, signal) => {
  switch (argv[0] ?? '') {
    case 'demo': {
      const { demo } = await import('./demo.js'); // a file of its own, as the next: the other commands start without it
      return demo(world, signal);
    }
    case 'mount':
    case 'umount': {
      const { mount } = await import('./mount.js');
      return mount(argv, world, signal);
    }
    default:
      return runCommand({ name: 'o', more }, argv, world, signal);
  }
});
