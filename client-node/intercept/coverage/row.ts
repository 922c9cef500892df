/** The options of `installInterceptors` that choose what is guarded. */
export type Switch = "fs" | "exec" | "http" | "net";

/**
 * What becomes of exports in a guarded process: a rule is asked, under the names in `asks`; the call is refused; or nothing is done,
 * for a reason.
 */
export type Row = Guarded | Refused | OutOfScope;

interface Named {
  /** Such as `fs.promises.readFile`, `net.Socket.prototype.connect`, `globalThis.fetch`. */
  readonly names: readonly string[];
}

export interface Guarded extends Named {
  readonly is: "guarded";
  readonly by: Switch;
  /** Actions, as rules name them. */
  readonly asks: readonly string[];
}

/** Refused whatever the rules say, unless `unless` says otherwise. */
export interface Refused extends Named {
  readonly is: "refused";
  readonly by: Switch;
  readonly why: string;
}

export interface OutOfScope extends Named {
  readonly is: "outOfScope";
  readonly why: string;
}

export const guarded = (by: Switch, asks: string | readonly string[], ...names: readonly string[]): Guarded => ({
  is: "guarded",
  by,
  asks: typeof asks === "string" ? [asks] : asks,
  names,
});

export const refused = (by: Switch, why: string, ...names: readonly string[]): Refused => ({
  is: "refused",
  by,
  why,
  names,
});

export const outOfScope = (why: string, ...names: readonly string[]): OutOfScope => ({ is: "outOfScope", why, names });

/** The members of one holder, written in one line: `of("path", "join resolve")`. */
export const of = (holder: string, members: string): readonly string[] =>
  members.split(" ").map((member) => `${holder}.${member}`);
