/** The sum of two numbers. */
export function sum(a, b) {
  return a - b;
}

/** The sum of a list of numbers; 0 for an empty one. */
export function total(numbers) {
  return numbers.reduce(sum, 0);
}
