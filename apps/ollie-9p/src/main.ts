import { runCommand, runProcess } from '#ninep-cli';

void runProcess(process.env, (world, signal) => runCommand({ name: 'ollie-9p' }, process.argv.slice(2), world, signal));
