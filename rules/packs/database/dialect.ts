/** The databases whose spellings differ where it matters for what runs. Closed. */
export type Dialect = "postgresql" | "mysql" | "sqlite" | "sqlserver";

/** How a database reads the characters of a statement, where databases disagree. */
export interface Spelling {
  /** `\'` in an ordinary string does not end it. */
  readonly backslashEscapes: boolean;
  /** `#` begins a comment. */
  readonly hashComments: boolean;
  /** `--` begins a comment only before white space. */
  readonly dashesNeedSpace: boolean;
  /** A comment in a comment is closed by itself. */
  readonly nestedComments: boolean;
  /** What stands in a comment that begins with `!` is run. */
  readonly executableComments: boolean;
  /** `$tag$ ... $tag$` is a string. */
  readonly dollarStrings: boolean;
  /** `[name]` is a name. */
  readonly bracketNames: boolean;
  /** A line that is only `GO` ends a batch. */
  readonly batches: boolean;
}

const plain: Spelling = {
  backslashEscapes: false,
  hashComments: false,
  dashesNeedSpace: false,
  nestedComments: false,
  executableComments: false,
  dollarStrings: false,
  bracketNames: false,
  batches: false,
};

export const spellings: Readonly<Record<Dialect, Spelling>> = Object.freeze({
  postgresql: Object.freeze({ ...plain, nestedComments: true, dollarStrings: true }),
  mysql: Object.freeze({
    ...plain,
    backslashEscapes: true,
    hashComments: true,
    dashesNeedSpace: true,
    executableComments: true,
  }),
  sqlite: Object.freeze({ ...plain, bracketNames: true }),
  sqlserver: Object.freeze({ ...plain, nestedComments: true, bracketNames: true, batches: true }),
});

/** Without one of these characters every dialect reads a text alike. */
const disputed = /[\\#$[]|\/\*|--\S|^[ \t]*go[ \t]*$/im;

/** The readings that a text can have. What no database disputes has one. */
export const readingsOf = (text: string, dialect: Dialect | null): readonly Dialect[] => {
  if (dialect !== null) return [dialect];
  return disputed.test(text) ? (Object.keys(spellings) as Dialect[]) : ["postgresql"];
};
