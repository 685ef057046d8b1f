import { runCommand, runProcess } from '#ninep-cli';

const more = [
  ['demo', 'watch an agent repair a small broken project'],
  ['gen [PROMPT]', 'ask a model without a server; see o gen --help'],
  ['scripted serve', 'answer as a model does; see o scripted --help'],
  ['mount, umount', 'mount the namespace, end that; see o mount --help'],
] as const;
const OWN: readonly string[] = ['demo', 'gen', 'mount', 'scripted', 'umount'];

const argv = withoutHelpWord(process.argv.slice(2));

void runProcess(process.env, async (world, signal) => {
  switch (argv[0] ?? '') {
    case 'demo': {
      const { demo } = await import('./demo.js'); // a file of its own, as the next: the other commands start without it
      return demo(argv.slice(1), world, signal);
    }
    case 'gen': {
      const { gen } = await import('./gen.js');
      return gen(argv.slice(1), world, signal);
    }
    case 'scripted': {
      const { scripted } = await import('./scripted.js');
      return scripted(argv.slice(1), world, signal);
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
