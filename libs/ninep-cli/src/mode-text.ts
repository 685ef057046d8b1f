const DIRECTORY = 0x80000000;
const FLAGS = ['x', 'w', 'r'] as const;

/** `d-rwx…` as ls shows it: `dr-xr-xr-x`, `--w--w----`. */
export function modeText(mode: number): string {
  const bits = Array.from({ length: 9 }, (_, index) => {
    const bit = 8 - index;
    return (mode & (1 << bit)) === 0 ? '-' : FLAGS[bit % 3];
  });
  return `${isDirectory(mode) ? 'd' : '-'}${bits.join('')}`;
}

export function isDirectory(mode: number): boolean {
  return mode >= DIRECTORY || mode < 0;
}
