/** What a signal ends: a Nest application, or anything else that can be closed. */
export interface Closable {
  close(): Promise<void>;
}
