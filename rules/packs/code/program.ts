/** What is called in a program: the names as a reader would resolve them, imports and aliases followed. */
export interface Call {
  /** `os.system`, `eval`, `child_process.exec`; a part that only running tells is `?`. */
  readonly name: string;
  /** Arguments, in order: a text that is written out, a number, or null for anything else. */
  readonly args: readonly (string | number | null)[];
  /** Texts that arguments make as far as they are written out, and the one that a method is called on: `(Path.home() / ".ssh").iterdir()`. */
  readonly written: readonly string[];
  /** Names of keyword arguments (Python) or members of the argument objects (JavaScript). */
  readonly named: readonly string[];
  /** As written, cut. */
  readonly source: string;
}

/** A loop without an end that is written out, and what it calls. */
export interface EndlessLoop {
  readonly leaves: boolean;
  readonly calls: readonly string[];
}

/** A program as far as judging it needs. Errors of syntax are stepped over, and counted. */
export interface Program {
  readonly language: "python" | "javascript";
  readonly calls: readonly Call[];
  /** Names that are read, dotted, resolved; also those that are called. */
  readonly names: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly loops: readonly EndlessLoop[];
  /** The greatest number of elements that one expression makes, as far as numbers written out tell. */
  readonly elements: number;
  readonly errors: number;
}

/** Longer programs are a human's to read: parsing takes up to 6 microseconds a character. */
export const maxProgramCharacters = 8_192;
export const maxNodes = 30_000;
/** Deeper than anybody nests; each step of a chain, a.b.c, is one level. */
export const maxDepth = 500;
/** Steps over errors grow with what is open: texts of nothing but brackets, quotes or rare marks are no programs. */
export const maxOpenBrackets = 200;
/** Points of one chain, a.b.c. */
export const maxChain = 400;
export const maxQuotes = 1_200;
export const maxRareMarks = 800;
export const maxLines = 700;

export class TooLarge extends Error {
  override readonly name = "TooLarge";
}
