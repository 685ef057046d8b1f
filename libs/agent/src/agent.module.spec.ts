import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { FakeApprovalDesk, FakeEvents, aloneWith, benchProfile, FakeBackend, FakeBackendCatalog, FakeClock, FakeToolHost } from '#testkit';
import { type Agent, AgentFactory, AgentModule, AgentPorts, ProfileStore } from './index.js';

const ports: AgentPorts = {
  backends: new FakeBackendCatalog(new FakeBackend()),
  clock: new FakeClock(),
  log: silentLog,
  events: new FakeEvents(),
  approvals: new FakeApprovalDesk(),
};

@Module({
  providers: [
    { provide: AgentPorts, useValue: ports },
    { provide: Paths, useValue: Paths.from({ HOME: '/nobody' }) },
  ],
  exports: [AgentPorts, Paths],
})
class PortsModule {}

describe('AgentModule', () => {
  it('builds agents and profiles from the ports of the imported modules', async () => {
    const app = await Test.createTestingModule({ imports: [AgentModule.forRoot({ imports: [PortsModule] })] }).compile();
    expect(app.get(ProfileStore).names()).toEqual(['default', 'coding', 'observer']);
    const identity = { id: '1', sessionId: '2', name: 'a', cwd: '/', parentId: undefined, depth: 0 };
    const setup = { profile: benchProfile(), backend: undefined, model: undefined, maxSteps: undefined };
    const agent: Agent = app.get(AgentFactory).create(
      identity,
      setup,
      aloneWith(new FakeToolHost(), () => agent),
    );
    await expect(agent.run('hi', new AbortController().signal)).resolves.toBe('done');
    await app.close();
  });
});
