const MAGIC = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '47494638'],
  ['image/webp', 8, '57454250'],
];

/** The media type of an image, by content and never by name; undefined for anything else. */
export function imageType(start) {
  return MAGIC.find(([, at, hex]) => start.subarray(at, at + hex.length / 2).toString('hex') === hex)?.[0];
}
