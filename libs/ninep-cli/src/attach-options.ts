/** The options, for parseArgs, of every command that attaches to a server. */
export const attachOptions = {
  address: { type: 'string', short: 'a' },
  aname: { type: 'string', short: 'A' },
  uname: { type: 'string', short: 'u' },
  'secret-file': { type: 'string' },
} as const;
