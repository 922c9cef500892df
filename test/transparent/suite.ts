/** Where the tests of a package are published: in its npm tarball, or in the upstream archive of a Debian source package (its upstream version). */
export type Source =
  | { readonly kind: "npm"; readonly tarball: string; readonly sha256: string }
  | {
      readonly kind: "debian";
      readonly name: string;
      readonly version: string;
      readonly archive: string;
      readonly sha256: string;
    };

/** How the tests are run. All of them print TAP. */
export type Runner =
  /** One process. The command is one of the suite's own `node_modules/.bin`, or `node`. */
  | { readonly kind: "whole"; readonly command: readonly string[] }
  /** A process for each file of a folder, with each of the environments. */
  | {
      readonly kind: "each file";
      readonly folder: string;
      readonly endings: readonly string[];
      readonly flags: readonly string[];
      readonly variants: readonly Readonly<Record<string, string>>[];
    };

/** What of the TAP is a test: each result that has none inside, or (where those are single assertions) each subtest. */
export type Counted = "results" | "subtests";

/** The published tests of one package. What they need is in `packages/<name>/`, with a lock. */
export interface Suite {
  readonly name: string;
  readonly version: string;
  readonly source: Source;
  readonly runner: Runner;
  readonly counted: Counted;
  readonly preload: "--require" | "--import";
}
