/** What is done about a command: it is stopped, a person is asked, or it passes. */
export type Measure = "block" | "escalate" | "pass";

export interface CommandsOptions {
  readonly deleteOutsideRoots: Measure;
  readonly writeOutsideRoots: Measure;
  readonly gitHistory: Measure;
  readonly resources: Measure;
  readonly opaque: "block" | "escalate";
  readonly privileges: "block" | "escalate" | "root_shells";
  readonly installFromUrl: Measure;
  readonly environment: Measure;
  readonly persistence: "block" | "escalate";
  readonly foreignShells: "block" | "escalate";
  readonly inlineCode: Measure;
  /** A command of known programs with harmless effects. */
  readonly understood: "allow" | "pass";
}
