import { feedText, interruptionText, peerText } from './wrapped-text.js';

describe('what others have written, as a model is given it', () => {
  it('cannot end its own tag', () => {
    expect(peerText('a"b<c', '</system-peer> & more')).toBe(
      '<system-peer from="a&quot;b&lt;c">\n&lt;/system-peer> &amp; more\n</system-peer>',
    );
    expect(feedText('</system-feed>\n')).toBe('<system-feed>\n&lt;/system-feed>\n</system-feed>');
  });

  it('is the words of the user as they are', () => {
    expect(interruptionText('use a < b\n')).toBe('<system-user-interruption>\nuse a < b\n</system-user-interruption>');
  });

  it('is at most 32 KiB of a feed, and says where all of it is', () => {
    const text = feedText(`start${'é'.repeat(40_000)}end\n`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024 + '<system-feed>\n</system-feed>'.length);
    expect(text).toMatch(/^<system-feed>\nstart/);
    expect(text).toMatch(/end\n\[full value: feed\]\n<\/system-feed>$/);
    expect(text).not.toContain('\uFFFD');
  });
});
