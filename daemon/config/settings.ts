import type { KeyringPlace } from "../keys/trust-files.ts";
import type { ProvenancePolicy } from "../surfaces/provenance/policy.ts";

export const maxCaptureDays = 90;
export const maxReceiptsDays = 36_500;
export const defaultClockSkew_s = 30;
export const maxClockSkew_s = 300;
export const maxCheckpointReceipts = 1_000_000;
/** An hour. */
export const maxCheckpoint_ms = 3_600_000;

/** A day. */
export const maxSurfaceAge_s = 86_400;

/** What follows what a tool does that it did not do while it was learned: it is not looked at, told, or held. */
export type Watch = "off" | "monitor" | "enforce";
/** What a session may have read, and then not send anywhere new. */
export type TaintClass = "secrets" | "pii" | "financial";

/** Where a tool may go without having been there. */
export interface DeclaredDestinations {
  /** As clients name the server. */
  server: string;
  /** Absent: every tool of the server. */
  tool?: string | undefined;
  /** Registrable domains, each with all below it and its mail. */
  domains: string[];
}

/** What tools of MCP servers do at run time. Every key is optional. */
export interface FileRuntime {
  reach?: Watch | undefined;
  response?: Watch | undefined;
  effect?: Watch | undefined;
  chain?: Watch | undefined;
  chain_classes?: TaintClass[] | undefined;
  destinations?: DeclaredDestinations[] | undefined;
}

export interface RuntimeSettings {
  readonly reach: Watch;
  readonly response: Watch;
  readonly effect: Watch;
  readonly chain: Watch;
  readonly chain_classes: readonly TaintClass[];
  readonly destinations: readonly DeclaredDestinations[];
}

/** Where nothing is written: what is new is held once a tool is learned; personal data only where somebody asks for it. */
export const defaultRuntime: RuntimeSettings = Object.freeze({
  reach: "enforce",
  response: "enforce",
  effect: "enforce",
  chain: "enforce",
  chain_classes: Object.freeze(["secrets"] as const),
  destinations: Object.freeze([]),
});

/** How MCP servers are known. Every key is optional. */
export interface FileSurfaces {
  /** A server is taken as it is first seen but for what is hostile by itself, or once an operator approved it. */
  baseline?: "first_use" | "approval" | undefined;
  /** For how long a client's report of what a server offers is good, at most. */
  max_age_s?: number | undefined;
  /** Where servers may come from. */
  provenance?: ProvenancePolicy | undefined;
  /** What their tools do at run time. */
  runtime?: FileRuntime | undefined;
}

export interface SurfaceSettings {
  readonly baseline: "first_use" | "approval";
  /** 1 to 86400. */
  readonly max_age_s: number;
  readonly provenance: ProvenancePolicy;
  readonly runtime: RuntimeSettings;
}

/** Settings as a configuration file or the command line writes them. Every key is optional. */
export interface FileSettings {
  /** Unix socket to serve. */
  socket?: string | undefined;
  /** State directory: the ledger and what is kept. */
  state?: string | undefined;
  /** `sqlite`, or the URL of a PostgreSQL. */
  store?: string | undefined;
  /** Unix socket for operators. */
  operator_socket?: string | undefined;
  /** Signed rule sets, in the order in which they judge. */
  rules?: string[] | undefined;
  /** Public keys (PEM) whose signatures on rule sets are believed. */
  trust?: string[] | undefined;
  /** Whose signatures are believed, in which role and when (JSON). */
  keyring?: string | undefined;
  /** A signed scope document: what each principal may do. */
  scope_document?: string | undefined;
  /** What clients decide by while the daemon is away. */
  fallback_policy?: string | undefined;
  /** The private key that signs it. */
  fallback_key?: string | undefined;
  /** What happens to a call about which every rule was silent. */
  unknown?: "allow" | "escalate" | "block" | undefined;
  /** What an answer survives before it leaves: a crash of the process, or of the machine. */
  durability?: "process" | "power" | undefined;
  /** How a principal is known: `claimed`, the event's word; `token`, what the hello showed. */
  principals?: "claimed" | "token" | undefined;
  /** Who acts where nothing says who. */
  principal?: string | undefined;
  /** What a connection without a token may name: `any`, or the configured principal and those `below` it. */
  claims?: "any" | "below" | undefined;
  /** What tokens for this daemon name in `aud`. */
  audience?: string | undefined;
  /** How far the clocks of whoever issues tokens and of this machine may be apart. */
  clock_skew_s?: number | undefined;
  /** What daemons agree on claims and limits with: `local`, or the URL of a Redis. */
  coordination?: string | undefined;
  /** The key that all daemons of a deployment share. */
  deployment_key?: string | undefined;
  /** Does the daemon keep a guarded process from altering what guards it? */
  self_protection?: "on" | "off" | undefined;
  /** For how many days calls are kept, sealed, for `interlock simulate --ledger`; 0 keeps none. */
  capture_days?: number | undefined;
  /** For how many days receipts are kept; 0 keeps all. */
  receipts_days?: number | undefined;
  /** After so many receipts a checkpoint is made. */
  checkpoint_receipts?: number | undefined;
  /** So long after a receipt that none covers a checkpoint is made, in milliseconds. */
  checkpoint_ms?: number | undefined;
  /** How MCP servers are known. */
  surfaces?: FileSurfaces | undefined;
}

/** Everything decided: no key missing, every path absolute. */
export interface Settings {
  readonly socket: string;
  readonly state: string;
  /** `sqlite`, or `postgres://...`, which may hold a password: never printed (store/postgres/address.ts). */
  readonly store: string;
  /** Where operators decide; agents are answered elsewhere. */
  readonly operator_socket: string;
  readonly rules: readonly string[];
  readonly trust: readonly string[];
  /** Beside the configuration where none is named. */
  readonly keyring: KeyringPlace;
  /** Null where none is served. */
  readonly scope_document: string | null;
  /** Null where clients have no policy to decide by. */
  readonly fallback_policy: string | null;
  readonly fallback_key: string;
  readonly unknown: "allow" | "escalate" | "block";
  readonly durability: "process" | "power";
  readonly principals: "claimed" | "token";
  /** Null: nobody acts without being named. */
  readonly principal: string | null;
  readonly claims: "any" | "below";
  /** Null: the daemon's own (identity/audience.ts). */
  readonly audience: string | null;
  /** 0 to 300. */
  readonly clock_skew_s: number;
  /** `local`, or a Redis' URL: it may hold a password and is printed nowhere. */
  readonly coordination: string;
  readonly deployment_key: string;
  readonly self_protection: "on" | "off";
  /** 0 (nothing is captured) to 90. */
  readonly capture_days: number;
  /** 0 keeps all receipts. */
  readonly receipts_days: number;
  readonly checkpoint_receipts: number;
  readonly checkpoint_ms: number;
  readonly surfaces: SurfaceSettings;
  /** The configuration file that was read, or null. */
  readonly file: string | null;
  /** Where the configuration is, or would be read from at the next start. */
  readonly configuration: string;
  /** Where `interlock token issue` finds the key that signs. */
  readonly tokenKey: string;
  /** Where `interlock init` puts the key that signs. */
  readonly signingKey: string;
  /** Where clients keep what they decided without the daemon, when nobody says otherwise. */
  readonly offlineSpool: string;
  /** Where this account keeps the tokens of its operators. */
  readonly operatorTokens: string;
}
