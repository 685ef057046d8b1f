import { runCommand, runProcess } from '#ninep-cli';

const more = [
  ['demo', 'watch an agent repair a small broken project'],
  ['mount [-f] [DIR]', 'mount the namespace; see o mount --help'],
  ['umount [DIR]', 'take that mount away'],
] as const;
const OWN: readonly string[] = ['demo', 'mount', 'umount'];

const argv = withoutHelpWord(process.argv.slice(2));

void runProcess(process.env, async (world, signal) => {
  switch (argv[0] ?? '') {
    case 'demo': {
      const { demo } = await import('./demo.js'); // a file of its own, as the next: the other commands start without it
      return demo(argv.slice(1), world, signal);
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

/** `help COMMAND` is `COMMAND --help` where that has a text of its own. */
function withoutHelpWord(words: readonly string[]): readonly string[] {
  const [first, command = ''] = words;
  return first === 'help' && OWN.includes(command) ? [command, '--help'] : words;
}
