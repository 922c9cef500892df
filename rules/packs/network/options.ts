import type { PrivateTerms } from "../../network/private.ts";
import type { RuleExample } from "../../types.ts";
import type { Surroundings } from "../pack.ts";

export interface NetworkOptions {
  /** Domains that may be reached; empty: all public ones. A registrable domain holds what is below it, any other name itself. */
  readonly allowDomains: readonly string[];
  /** Domains, or whole addresses, that mail may be sent to; empty: all. */
  readonly allowRecipients: readonly string[];
  /** Further domains that collect what is sent to them. */
  readonly collectors: readonly string[];
  /** What becomes of a call into the private network. Cloud metadata is always blocked. */
  readonly privateNetwork: "block" | "escalate";
  /** Schemes that a fetching tool may be given. */
  readonly schemes: readonly string[];
  /** Ports that a fetching tool may be given; empty: all but those of other protocols. */
  readonly ports: readonly number[];
  /** From so many bytes, text that is encoded in a path or query is asked about. */
  readonly encodedTextBytes: number;
}

export const termsOf = (options: NetworkOptions, { allowHosts }: Surroundings): PrivateTerms =>
  Object.freeze({
    allowHosts: new Set(allowHosts.map((host) => host.toLowerCase())),
    schemes: new Set(options.schemes),
    ports: new Set(options.ports),
  });

/** An address may be an argument of any tool. */
export const everyAction: readonly string[] = Object.freeze(["*"]);

export type Example = Omit<RuleExample, "given">;
