import { Injectable } from '@nestjs/common';
import { BypassBroker, ProcessTable } from '#exec';
import { HostInfo } from './host-info.js';
import { ToolCalls } from './tool-calls.js';
import { ToolLists } from './tool-lists.js';

/** The root of the namespace: all that the outside may touch. */
@Injectable()
export class ToolsrvServices {
  constructor(
    readonly tools: ToolLists,
    readonly calls: ToolCalls,
    readonly processes: ProcessTable,
    readonly host: HostInfo,
    readonly bypass: BypassBroker,
  ) {}
}
