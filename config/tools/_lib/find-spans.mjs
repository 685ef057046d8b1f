const LF = 0x0a;
const CR = 0x0d;

/**
 * Where `old` stands in the file, overlaps included, as [start, end) byte spans: as given, else whatever the
 * line ends on either side are.
 */
export function findSpans(file, old) {
  const exact = spansOf(file, old);
  if (exact.length > 0 || !old.includes(LF)) return exact;
  const view = lineFeedView(file);
  return spansOf(view.bytes, lineFeedView(old).bytes).map(([start, end]) => [view.toFile(start), view.toFile(end)]);
}

function spansOf(file, wanted) {
  const spans = [];
  for (let at = file.indexOf(wanted); at !== -1; at = file.indexOf(wanted, at + 1)) spans.push([at, at + wanted.length]);
  return spans;
}

/** The bytes with each CRLF as LF, and the way back from an offset in them. */
function lineFeedView(file) {
  const parts = [];
  const dropped = [];
  let from = 0;
  for (let at = file.indexOf('\r\n'); at !== -1; at = file.indexOf('\r\n', at + 2)) {
    parts.push(file.subarray(from, at));
    dropped.push(at - dropped.length);
    from = at + 1;
  }
  const bytes = Buffer.concat([...parts, file.subarray(from)]);
  return { bytes, toFile: (offset) => offset + countBelow(dropped, offset) };
}

/** How many of the ascending numbers are smaller than `limit`. */
function countBelow(numbers, limit) {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The new text with the line ends of the place where it goes. */
export function fitLineEnds(replacement, file, span) {
  return usesCrlf(file, span) ? Buffer.from(replacement.toString('utf8').replace(/\r?\n/g, '\r\n')) : replacement;
}

/** The first line end inside the span decides, else the one that ends its line, else the one before it. */
function usesCrlf(file, [start, end]) {
  const inside = file.subarray(start, end).indexOf(LF);
  const after = file.indexOf(LF, end);
  const at = inside !== -1 ? start + inside : after !== -1 ? after : file.lastIndexOf(LF, start);
  return at > 0 && file[at - 1] === CR;
}

/** Counted from 1. */
export function lineOf(file, offset) {
  let line = 1;
  for (let at = file.indexOf(LF); at !== -1 && at < offset; at = file.indexOf(LF, at + 1)) line += 1;
  return line;
}
