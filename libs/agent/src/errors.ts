import { OllieError } from '#model';

/** No model can be asked. The message says what to set; it is what the turn's error block shows. */
export class NotConfiguredError extends OllieError {
  constructor(what: 'backend' | { readonly modelOf: string }) {
    super(what === 'backend' ? NO_BACKEND : noModel(what.modelOf), 'ENOENT');
  }
}

const NO_BACKEND =
  'no backend configured: set OLLIE_OPENAI_URL (a server of your own), OLLIE_OPENAI_KEY, OLLIE_ANTHROPIC_KEY, OLLIE_BACKEND=ollama or OLLIE_BACKEND=scripted (no model), or write config.json (docs/backends.md); restart olliesrv';

function noModel(backend: string): string {
  return `no model chosen for backend ${backend}: set OLLIE_MODEL, "defaultModel" in config.json or "model" in the profile, or make the agent with model=<name>`;
}
