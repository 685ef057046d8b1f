import { type StoreDisk, storeDisk } from '#store';

/** A disk that calls `died` wherever a sudden death would leave something of its own: between all writes, and within each. */
export function deadlyDisk(died: () => void): StoreDisk {
  return {
    ...storeDisk,
    writeAt: (fd, bytes, offset) => {
      const half = Math.floor(bytes.length / 2);
      for (let done = 0; done < half;) done += storeDisk.writeAt(fd, bytes.subarray(done, half), offset + done);
      died();
      const rest = storeDisk.writeAt(fd, bytes.subarray(half), offset + half);
      died();
      return half + rest;
    },
  };
}
