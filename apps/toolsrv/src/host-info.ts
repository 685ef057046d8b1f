import { Injectable } from '@nestjs/common';
import { SandboxStatus } from '#exec';
import { ToolCatalog } from '#tools';
import { ServeOptions } from './serve-options.js';

/** Names that the Go world, and so every client of this file, uses. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386', arm: 'arm' };

/** What this server is and what it can enforce: the text of `info`. */
@Injectable()
export class HostInfo {
  constructor(
    private readonly options: ServeOptions,
    private readonly catalog: ToolCatalog,
    private readonly status: SandboxStatus,
  ) {}

  async describe(signal: AbortSignal): Promise<string> {
    const { landlock, reach, missing } = await this.status.facts(signal);
    const values: Readonly<Record<string, string | number>> = {
      platform: process.platform,
      arch: ARCHITECTURES[process.arch] ?? process.arch,
      version: this.options.version,
      landlock,
      sandbox: reach,
      missing: missing.join(','),
      cwd: this.options.cwd,
      tools: this.catalog.entries().filter((entry) => entry.available).length,
      pid: process.pid,
    };
    return Object.entries(values)
      .map(([key, value]) => `${key}=${value}\n`)
      .join('');
  }
}
