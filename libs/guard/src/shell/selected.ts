const PLAIN = /^\w[\w.-]*$/;

/** Of more values than are followed, those that are no plain names first: they may do what their neighbours do not. */
export function selected(values: readonly string[], most: number): readonly string[] {
  if (values.length <= most) return values;
  const isPlain = (value: string): boolean => PLAIN.test(value);
  return [...values.filter((value) => !isPlain(value)), ...values.filter(isPlain)].slice(0, most);
}
