import { attachName } from './attach-name.js';

describe('the attach name of a command', () => {
  it('is what the user gave, and our tag', () => {
    expect(attachName('', '1')).toBe('client=1');
    expect(attachName('wait=2s', '1')).toBe('wait=2s&client=1');
  });

  it('keeps the tag of a user who gave one', () => {
    expect(attachName('client=mine&wait=2s', '1')).toBe('client=mine&wait=2s');
  });

  it('goes without where there is none', () => {
    expect(attachName('wait=2s', undefined)).toBe('wait=2s');
  });
});
