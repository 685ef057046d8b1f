import { Test } from '@nestjs/testing';
import { ShutdownPlan } from './shutdown-plan.js';

describe('the shutdown plan', () => {
  let done: string[];
  let said: string;
  let write: jest.SpyInstance;

  beforeEach(() => {
    done = [];
    said = '';
    write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    write.mockRestore();
    process.exitCode = undefined;
  });

  const step = (name: string) => [name, async () => void done.push(name)] as const;

  it('runs its steps in order when the application closes', async () => {
    const app = await Test.createTestingModule({ providers: [ShutdownPlan] }).compile();
    await app.init();
    const plan = app.get(ShutdownPlan);
    plan.set(step('processes'), step('save'), step('log'));
    plan.arm();
    await app.close();
    expect(done).toEqual(['processes', 'save', 'log']);
    expect(process.exitCode).toBeUndefined();
  });

  it('does nothing unless it was armed', async () => {
    const plan = new ShutdownPlan();
    plan.set(step('save'));
    await plan.onApplicationShutdown();
    expect(done).toEqual([]);
  });

  it('reports a failed step, goes on, and makes the exit code 1', async () => {
    const plan = new ShutdownPlan();
    plan.set(['save', () => Promise.reject(new Error('disk full'))], step('log'));
    plan.arm();
    await plan.onApplicationShutdown();
    expect(said).toBe('shutdown: save: disk full\n');
    expect(done).toEqual(['log']);
    expect(process.exitCode).toBe(1);
  });
});
