import { spawn } from 'node:child_process';

/** Runs the project's tests outside the sandbox, and tells whether they all pass. */
export function testPasses(project: string, signal: AbortSignal): Promise<boolean> {
  const child = spawn(process.execPath, ['--test'], { cwd: project, env: {}, stdio: 'ignore', signal });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}
