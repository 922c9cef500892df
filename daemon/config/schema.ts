import { getDomain } from "tldts";
import * as z from "zod";
import { coordinationProblem } from "../coordination/address.ts";
import { isBindable, maxBoundPrincipalBytes } from "../identity/principal-path.ts";
import { maxAudienceBytes } from "../identity/token.ts";
import { addressProblem } from "../store/postgres/address.ts";
import { provenanceSchema } from "../surfaces/provenance/policy.ts";
import {
  type FileSettings,
  maxCaptureDays,
  maxCheckpoint_ms,
  maxCheckpointReceipts,
  maxClockSkew_s,
  maxReceiptsDays,
  maxSurfaceAge_s,
} from "./settings.ts";

const days = `must be a whole number of days, 0 to ${maxCaptureDays}`;
const skew = `must be a whole number of seconds, 0 to ${maxClockSkew_s}`;
const bindable = `must be a path such as acme/payments, without empty segments, at most ${maxBoundPrincipalBytes} bytes`;

const receipts = `must be a whole number of receipts, 1 to ${maxCheckpointReceipts}`;
const pause = `must be a whole number of milliseconds, 100 to ${maxCheckpoint_ms}`;
const age = `must be a whole number of seconds, 1 to ${maxSurfaceAge_s}`;
const domain = "must be a registrable domain, such as example.com: all below it counts";
const watch = z.enum(["off", "monitor", "enforce"]).optional();
const keptDays = `must be a whole number of days, 0 to ${maxReceiptsDays}`;

/** Another spelling would allow nothing, and a name below one less than is written. */
const isRegistrable = (text: string): boolean => getDomain(text, { allowPrivateDomains: true }) === text;

/** The daemon's settings as the configuration file writes them. Every key is optional; an unknown key is refused. */
export const settingsSchema = z.strictObject({
  /** Unix socket to serve. */
  socket: z.string().min(1).optional(),
  /** State directory: the ledger and what is kept. */
  state: z.string().min(1).optional(),
  /** Where receipts and transactions are kept: `sqlite` in the state directory, or the URL of a PostgreSQL. */
  store: z
    .string()
    .superRefine((address, context) => {
      const message = addressProblem(address);
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .optional(),
  /** Unix socket for operators, in a directory of mode 0700 (default: operator.sock in the state directory). */
  operator_socket: z.string().min(1).optional(),
  /** Signed rule sets, in the order in which they judge. */
  rules: z.array(z.string().min(1)).min(1).optional(),
  /** Public keys (PEM) whose signatures on rule sets are believed. */
  trust: z.array(z.string().min(1)).optional(),
  /** Whose signatures are believed, in which role and when (default: keyring.json beside the configuration, where it exists). */
  keyring: z.string().min(1).optional(),
  /** A signed scope document: what each principal may do. */
  scope_document: z.string().min(1).optional(),
  /** What clients with `unreachable: "degraded"` decide by while the daemon is away: signed at start and reload (docs/fallback.md). */
  fallback_policy: z.string().min(1).optional(),
  /** The private key that signs it (default: fallback.key beside the rules' key). */
  fallback_key: z.string().min(1).optional(),
  /** What happens to a call about which every rule was silent. */
  unknown: z.enum(["allow", "escalate", "block"]).optional(),
  /** What an answer survives before it leaves: a crash of the process, or of the machine. */
  durability: z.enum(["process", "power"]).optional(),
  /** How a principal is known: the event's word, or the token that its connection showed. */
  principals: z.enum(["claimed", "token"]).optional(),
  /** Who acts where nothing says who, such as `acme/payments`. */
  principal: z.string().refine(isBindable, bindable).optional(),
  /** What a connection without a token may name: anybody, or the configured principal and those below it. */
  claims: z.enum(["any", "below"]).optional(),
  /** What tokens for this daemon name in `aud`; daemons with the same one take the same tokens. */
  audience: z
    .string()
    .refine(
      (text) => text !== "" && Buffer.byteLength(text) <= maxAudienceBytes,
      `must be 1 to ${maxAudienceBytes} bytes`,
    )
    .optional(),
  /** How far the clocks of whoever issues tokens and of this machine may be apart. */
  clock_skew_s: z.int(skew).min(0, skew).max(maxClockSkew_s, skew).optional(),
  /** What daemons agree on claims and limits with: `local`, or the URL of a Redis. */
  coordination: z
    .string()
    .superRefine((address, context) => {
      const message = coordinationProblem(address);
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .optional(),
  /** The key that all daemons of a deployment share. */
  deployment_key: z.string().min(1).optional(),
  /** Does the daemon keep a guarded process from altering what guards it? */
  self_protection: z.enum(["on", "off"]).optional(),
  /** For how many days calls are kept, sealed, for `interlock simulate --ledger`; 0 keeps none. */
  capture_days: z.int(days).min(0, days).max(maxCaptureDays, days).optional(),
  /** For how many days receipts are kept: older ones are pruned, and a mark in the chain stands for them. 0 keeps all. */
  receipts_days: z.int(keptDays).min(0, keptDays).max(maxReceiptsDays, keptDays).optional(),
  /** After so many receipts a checkpoint is made. */
  checkpoint_receipts: z.int(receipts).min(1, receipts).max(maxCheckpointReceipts, receipts).optional(),
  /** So long after a receipt that none covers a checkpoint is made, in milliseconds. */
  checkpoint_ms: z.int(pause).min(100, pause).max(maxCheckpoint_ms, pause).optional(),
  /** How MCP servers are known (docs/surfaces.md). */
  surfaces: z
    .strictObject({
      baseline: z.enum(["first_use", "approval"]).optional(),
      max_age_s: z.int(age).min(1, age).max(maxSurfaceAge_s, age).optional(),
      provenance: provenanceSchema.optional(),
      /** What their tools do at run time (docs/runtime-drift.md). */
      runtime: z
        .strictObject({
          reach: watch,
          response: watch,
          effect: watch,
          chain: watch,
          chain_classes: z.array(z.enum(["secrets", "pii", "financial"])).optional(),
          destinations: z
            .array(
              z.strictObject({
                server: z.string().min(1),
                tool: z.string().min(1).optional(),
                domains: z.array(z.string().refine(isRegistrable, domain)).min(1),
              }),
            )
            .optional(),
        })
        .optional(),
    })
    .optional(),
});

type Parsed = z.infer<typeof settingsSchema>;
type Same<A, B> = [A, B] extends [B, A] ? true : never;
/** The schema and the type that the rest of the program reads are one: a difference does not compile. */
export const schemaIsTheType: Same<Parsed, FileSettings> = true;
