import { runCommand, runProcess } from '#ninep-cli';

const argv = process.argv.slice(2);

void runProcess(process.env, async (world, signal) => {
  if (argv[0] !== 'demo')
    return runCommand({ name: 'o', more: [['demo', 'watch an agent repair a small broken project']] }, argv, world, signal);
  const { demo } = await import('./demo.js'); // a second file: the other commands start without it
  return demo(world, signal);
});
