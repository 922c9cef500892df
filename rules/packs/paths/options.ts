/** How files are protected. Each has a value in every tier; `interlock rules packs show paths` says what it changes. */
export interface PathsOptions {
  readonly readRoots?: readonly string[] | null;
  readonly writeRoots?: readonly string[] | null;
  readonly outsideRoots?: "block" | "escalate";
  readonly protect?: readonly string[];
  readonly allow?: readonly string[];
  readonly ciFiles?: "pass" | "escalate";
  readonly instructions?: "pass" | "escalate";
  readonly largeSearches?: "pass" | "escalate";
}
