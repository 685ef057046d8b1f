import { userText, type Message } from '#model';
import { ConversationFold } from './conversation-fold.js';

const [a, b, c] = [userText('a'), userText('b'), userText('c')];

function counted(): { readonly fold: ConversationFold<readonly Message[]>; readonly added: Message[] } {
  const added: Message[] = [];
  const fold = new ConversationFold<readonly Message[]>(
    () => [],
    (state, message) => {
      added.push(message);
      return [...state, message];
    },
  );
  return { fold, added };
}

describe('a fold over conversations', () => {
  it('looks only at what is new at the end', () => {
    const { fold, added } = counted();
    expect(fold.after([a, b])).toEqual([a, b]);
    expect(fold.after([a, b])).toEqual([a, b]);
    expect(fold.after([a, b, c])).toEqual([a, b, c]);
    expect(added).toEqual([a, b, c]);
  });

  it('begins anew where a conversation is shorter, or another after its first message', () => {
    const { fold } = counted();
    for (const messages of [[a, b], [a], [a, c, b], [a, b, c], []]) expect(fold.after(messages)).toEqual(messages);
  });

  it('takes a list that grows in its place', () => {
    const { fold, added } = counted();
    const messages = [a];
    fold.after(messages);
    messages.push(b);
    expect(fold.after(messages)).toEqual([a, b]);
    expect(added).toEqual([a, b]);
  });

  it('does not go on from a state that it could not finish', () => {
    const fold = new ConversationFold<string[]>(
      () => [],
      (state, message) => {
        if (message === c) throw new Error('not this one');
        state.push(message.role);
        return state;
      },
    );
    fold.after([a]);
    expect(() => fold.after([a, b, c])).toThrow('not this one');
    expect(fold.after([a, b])).toEqual(['user', 'user']);
  });
});
