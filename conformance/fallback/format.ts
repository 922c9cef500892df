/** conformance/fallback.json, as conformance/README.md describes it. */
export interface FallbackCorpus {
  readonly fallback_version: 1;
  /** Public keys in PEM, by a name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly documents: readonly DocumentEntry[];
  readonly payloads: readonly PayloadEntry[];
  /** Payloads of policies that decisions are made by. */
  readonly policies: Readonly<Record<string, string>>;
  readonly decisions: readonly DecisionEntry[];
}

interface Entry {
  readonly name: string;
  readonly note: string;
}

/** Is this file a policy that may decide, at this time, for a client that has this key and saw this before? */
export interface DocumentEntry extends Entry {
  /** The file's text. */
  readonly document: string;
  readonly key: string;
  readonly now: string;
  readonly seen: { readonly id: string; readonly version: number; readonly digest: string } | null;
  /** `accepted`, or the code of the refusal. */
  readonly expect: string;
}

/** Is this text the payload of a policy? */
export interface PayloadEntry extends Entry {
  readonly payload: string;
  readonly expect: "accepted" | "refused";
}

/** What is decided of this event by that policy. */
export interface DecisionEntry extends Entry {
  readonly policy: string;
  readonly event: {
    readonly action: string;
    readonly phase: "call" | "result";
    readonly principal: string | null;
    /** JSON text of an object: so that 1.0 and -0 reach each language's own parser. */
    readonly args: string;
  };
  readonly expect: { readonly verdict: "ALLOW" | "BLOCK"; readonly rule: string | null };
}
