import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import type { Log } from '#config';
import { ApprovalDesk, type Clock, EventSink } from '#model';
import { ApprovalBroker } from './approvals/approval-broker.js';
import { SessionEvents } from './events/session-events.js';

export interface EventsModuleOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** What sessions, agents and their hands tell and ask the outside: exports SessionEvents (EventSink) and ApprovalBroker (ApprovalDesk). */
@Module({})
export class EventsModule implements OnModuleDestroy {
  constructor(private readonly broker: ApprovalBroker) {}

  static forRoot({ clock, log }: EventsModuleOptions): DynamicModule {
    const events = new SessionEvents(clock, log);
    const broker = new ApprovalBroker({ clock, log, events });
    const providers = [
      { provide: SessionEvents, useValue: events },
      { provide: EventSink, useValue: events },
      { provide: ApprovalBroker, useValue: broker },
      { provide: ApprovalDesk, useValue: broker },
    ];
    return { module: EventsModule, providers, exports: [SessionEvents, EventSink, ApprovalBroker, ApprovalDesk] };
  }

  onModuleDestroy(): void {
    this.broker.close();
  }
}
