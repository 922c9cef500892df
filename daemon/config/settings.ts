import * as z from "zod";

/** The daemon's settings as the configuration file writes them. Every key is optional; an unknown key is refused. */
export const settingsSchema = z.strictObject({
  /** Unix socket to serve. */
  socket: z.string().min(1).optional(),
  /** State directory: the ledger and what is kept. */
  state: z.string().min(1).optional(),
  /** Signed rule sets, in the order in which they judge. */
  rules: z.array(z.string().min(1)).min(1).optional(),
  /** Public keys (PEM) whose signatures on rule sets are believed. */
  trust: z.array(z.string().min(1)).min(1).optional(),
  /** What happens to a call about which every rule was silent. */
  unknown: z.enum(["allow", "escalate", "block"]).optional(),
  /** What an answer survives before it leaves: a crash of the process, or of the machine. */
  durability: z.enum(["process", "power"]).optional(),
  /** How a principal is known. `token` needs tokens, which this version cannot issue yet. */
  principals: z.enum(["claimed"]).optional(),
});

export type FileSettings = z.infer<typeof settingsSchema>;

/** Everything decided: no key missing, every path absolute. */
export interface Settings {
  readonly socket: string;
  readonly state: string;
  readonly rules: readonly string[];
  readonly trust: readonly string[];
  readonly unknown: "allow" | "escalate" | "block";
  readonly durability: "process" | "power";
  readonly principals: "claimed";
  /** The configuration file that was read, or null. */
  readonly file: string | null;
}
