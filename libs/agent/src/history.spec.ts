import { userText, type ToolMessage } from '#model';
import { fakeCall } from '#testkit';
import { History } from './history.js';

const result = (toolCallId: string): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 't',
  content: [{ type: 'text', text: 'x' }],
  isError: false,
});
const calls = (...ids: string[]) => ({ role: 'assistant' as const, content: [], toolCalls: ids.map((id) => fakeCall(id, 't')) });

describe('History', () => {
  it('joins a prompt to one that got no answer', () => {
    const history = new History();
    history.addUser(userText('a'));
    history.addUser(userText('b'));
    expect(history.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });

  it('tells which calls have no result yet, in order', () => {
    const history = new History();
    history.addUser(userText('a'));
    history.addAssistant(calls('1', '2'));
    history.addResult(result('1'));
    expect(history.unanswered.map((call) => call.id)).toEqual(['2']);
    history.addResult(result('2'));
    expect(history.unanswered).toEqual([]);
  });

  it('takes results as they come, keeps each at once, and has them in the order of the calls', () => {
    const kept: string[] = [];
    const history = new History((message) => void (message?.role === 'tool' && kept.push(message.toolCallId)));
    history.addUser(userText('a'));
    history.addAssistant(calls('1', '2', '3'));
    history.addResult(result('3'));
    expect([history.messages.length, history.kept.length, kept]).toEqual([2, 3, ['3']]);
    expect(history.unanswered.map(({ id }) => id)).toEqual(['1', '2']);
    history.addResult(result('1'));
    history.addResult(result('2'));
    expect(kept).toEqual(['3', '1', '2']);
    expect(history.messages.slice(2)).toEqual(['1', '2', '3'].map(result));
    expect(history.kept).toEqual(history.messages);
  });

  it('uses the results that were kept, whatever their order', () => {
    const said = [userText('a'), calls('1', '2', '3', '4')];
    const history = new History();
    history.restore([...said, result('4'), result('1'), result('3')], 0);
    const lost = { ...result('2'), content: [expect.objectContaining({ text: expect.stringMatching(/^interrupted/) })], isError: true };
    expect(history.messages.slice(2)).toEqual([result('1'), lost, result('3'), result('4')]);
  });

  it('refuses whatever would break the pairs', () => {
    const history = new History();
    expect(() => history.addAssistant(calls())).toThrow('after the start');
    history.addUser(userText('a'));
    expect(() => history.addResult(result('1'))).toThrow('expected none');
    history.addAssistant(calls('1', '2'));
    expect(() => history.addResult(result('3'))).toThrow('expected 1');
    history.addResult(result('2'));
    expect(() => history.addResult(result('2'))).toThrow('expected 1');
    expect(() => history.addUser(userText('b'))).toThrow('no result');
    expect(() => history.addAssistant(calls())).toThrow('no result');
  });

  it('takes very many results in time in proportion', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `c${index}`);
    const history = new History();
    history.addUser(userText('a'));
    history.addAssistant(calls(...ids));
    const started = performance.now();
    for (const id of ids) history.addResult(result(id));
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(history.unanswered).toEqual([]);
  });

  it('gives copies', () => {
    const history = new History();
    history.addUser(userText('a'));
    const before = history.messages;
    history.addAssistant(calls());
    expect(before).toHaveLength(1);
  });
});
