import type { StopReason, StreamEvent } from '#model';
import type { AnswerReport, Outputs } from './answer-report.js';

/** Of these nobody needs to be told. */
const USUAL: readonly StopReason[] = ['stop', 'tool_calls'];

/** For people: text as it comes, calls of tools in lines of their own, what else is to be said on standard error. */
export class TextReport implements AnswerReport {
  private isLineOpen = false;

  constructor(private readonly outputs: Outputs) {}

  async event(event: StreamEvent): Promise<void> {
    if (event.type === 'text') await this.write(event.text);
    if (event.type === 'toolCall') await this.writeLine(`[${event.call.name} ${event.call.rawArguments}]`);
    if (event.type === 'warning') await this.note(event.text);
    if (event.type === 'done' && !USUAL.includes(event.stop)) await this.note(`the answer ended early: ${event.stop}`);
  }

  async end(): Promise<void> {
    if (this.isLineOpen) await this.write('\n');
  }

  private async writeLine(text: string): Promise<void> {
    await this.end();
    await this.write(`${text}\n`);
  }

  private async note(text: string): Promise<void> {
    await this.end();
    await this.outputs.stderr.write(`o: ${text}\n`);
  }

  private async write(text: string): Promise<void> {
    if (text === '') return;
    this.isLineOpen = !text.endsWith('\n');
    await this.outputs.stdout.write(text);
  }
}
