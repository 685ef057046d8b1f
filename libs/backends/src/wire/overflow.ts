const NOT_OVERFLOW = /rate limit|too many requests|throttl/i;

/** How servers say that a request does not fit the window; a group, where there is one, is the window in tokens. */
const OVERFLOW: readonly RegExp[] = [
  /maximum context length (?:is|of) (\d[\d,]*)/i,
  /exceeds? the available context size(?: \((\d+) tokens\))?/i,
  /prompt is too long(?:: \d+ tokens > (\d+) maximum)?/i,
  /greater than the context length(?: \(n_keep: \d+ ?>= n_ctx: (\d+))?/i,
  /exceed context limit: \d+ \+ \d+ > (\d+)/i,
  /input token count.*exceeds the maximum number of tokens allowed(?: \((\d+)\))?/i,
  /input token count is \d+ but (?:the )?model only supports up to (\d+)/i,
  /maximum prompt length is (\d+)/i,
  /prompt token count of \d+ exceeds the limit of (\d+)/i,
  /too large for model with (\d+) maximum context length/i,
  /longer than the model's context length(?: \((\d+))?/i,
  /context_length_exceeded|PROMPT_TOO_LONG|CONTENT_LENGTH_EXCEEDS_THRESHOLD|exceed_context_size_error|request_too_large/i,
  /maximum context length|exceeds the context window|context window exceeds limit/i,
  /prompt (?:is )?too long|reduce the length of the (?:messages|input)|input is too long for requested model/i,
  /longer than the context length|input length exceeds the context length/i,
  /exceeded model token limit(?:: (\d+))?/i,
  /range of input length should be(?: \[\d+, ?(\d+)\])?/i,
];

/** Undefined when the text is about something else; `limitTokens` when it names the window. */
export function overflowIn(text: string): { readonly limitTokens?: number } | undefined {
  if (NOT_OVERFLOW.test(text)) return undefined;
  const match = OVERFLOW.map((pattern) => pattern.exec(text)).find(Boolean);
  if (!match) return undefined;
  const limitTokens = Number(match[1]?.replaceAll(',', ''));
  return limitTokens > 0 ? { limitTokens } : {};
}
