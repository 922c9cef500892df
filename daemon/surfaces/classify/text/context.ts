import type { KnownText } from "./known-text.ts";

/** What a tool whose name a text holds does, for whoever judges why it is named. */
export interface NamedTool {
  /** Null: of the same server. */
  readonly server: string | null;
  /** It sends, deletes, runs or changes something. */
  readonly isRisky: boolean;
}

/** What a text is judged against. */
export interface TextContext {
  /** Nothing was approved: everything is new, and a word more is no change. */
  readonly isNewItem: boolean;
  /** The item's own approved texts. */
  readonly known: KnownText;
  /** Hosts that the approved item names. */
  readonly knownHosts: ReadonlySet<string>;
  /** Secrets that the approved item names, whichever. */
  readonly knowsSecrets: boolean;
  /** Words that the approved server uses, its name, and domains that it names. */
  readonly ownWords: () => ReadonlySet<string>;
  /** In lower case. */
  readonly ownName: string;
  /** By lower-case name. */
  readonly tools: ReadonlyMap<string, NamedTool>;
  /** Names of the item's own parameters, lower case. */
  readonly parameters: ReadonlySet<string>;
  /** The item itself sends things to others: that is what it is for. */
  readonly isSender: boolean;
  /** By its name it only reads. */
  readonly isReader: boolean;
  /** The item itself runs programs. */
  readonly isRunner: boolean;
}

/** What stands in a place: prose for a reader, or a value that a call may be made with. */
export type TextRole = "prose" | "parameter" | "default" | "choice" | "example" | "name" | "link";
