/** conformance/scopes.json: what a client makes of a file that is to be its pin. README.md explains it to an author of another language. */
export interface ScopeCorpus {
  readonly scopes_version: 1;
  /** Key files' texts, by a name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly documents: readonly PinEntry[];
}

export interface PinEntry {
  readonly name: string;
  readonly note: string;
  /** The file's text. */
  readonly document: string;
  /** Name of a key file. */
  readonly key: string;
  /** RFC 3339: the client's clock. */
  readonly now: string;
  /** The pin, `sha256:<hex>`; or the code by which it is refused. */
  readonly expect: string;
}
