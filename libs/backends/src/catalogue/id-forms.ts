/** What stands behind the name of a model to say which build of it is meant: a date, a number, `latest`. */
const BUILD = /(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-preview-\d\d-(?:20\d\d|\d\d)|-\d{4}|-\d{3}|-latest)$/;

export type IdForms = (id: string) => readonly string[];

/** The forms of an id under which a list may have just this model: the exact one, then without its build. */
export const sameModel: IdForms = (id) => {
  const bare = id.replace(/^models\//, '');
  return [...new Set([bare, bare.replace(BUILD, '')])];
};

/**
 * Behind them what stands before each dash, the longest first: a variant is like what it is a variant of. `gpt-4` is not
 * `gpt-4o`, and what a router has behind a colon (`:free`) is a price of its own.
 */
export const sameOrVariant: IdForms = (id) => {
  const [bare = id, ...more] = sameModel(id);
  const forms = [bare, ...more];
  for (let end = bare.lastIndexOf('-'); end > 0 && !bare.includes(':'); end = bare.lastIndexOf('-', end - 1))
    forms.push(bare.slice(0, end));
  return [...new Set(forms)];
};
