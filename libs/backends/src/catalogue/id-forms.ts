/** What stands behind the name of a model to say which build of it is meant: a date, a number, `latest`. */
const BUILD = /(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-preview-\d\d-(?:20\d\d|\d\d)|-\d{4}|-\d{3}|-latest)$/;

/** The forms of an id under which a list may have it, the exact one first. There is no search by its beginning: `gpt-4` is not `gpt-4o`. */
export function idForms(id: string): readonly string[] {
  const bare = id.replace(/^models\//, '');
  const plain = bare.replace(BUILD, '');
  return plain === bare ? [bare] : [bare, plain];
}
