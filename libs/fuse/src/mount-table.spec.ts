import { mountTable } from './mount-table.js';

describe('the mount table', () => {
  it('tells directory and type, with all optional fields or none', () => {
    const text = [
      '22 1 8:1 / / rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw',
      '40 22 0:50 / /mnt/a\\040b\\134c rw,nosuid - fuse.ollie ollie rw,user_id=0',
      '',
    ].join('\n');
    expect(mountTable(text)).toEqual([
      { directory: '/', type: 'ext4' },
      { directory: '/mnt/a b\\c', type: 'fuse.ollie' },
    ]);
  });

  it('is that of this process', () => {
    expect(mountTable().map(({ directory }) => directory)).toContain('/proc');
  });
});
