import type { SensorEvent } from "../../wire/event.ts";
import type { NamedServer } from "../../wire/surface-body.ts";
import type { Denial, GateAnswer } from "../engine/judgement.ts";
import { getPrompt, readResource } from "../surfaces/protocol-actions.ts";
import type { SeenSurface } from "../surfaces/seen-surface.ts";
import type { ReportedSurface } from "../surfaces/session-surfaces.ts";
import type { KnownServer } from "../surfaces/state/known-server.ts";
import { type ItemRef, itemKey } from "../surfaces/surface.ts";
import { couldMatch } from "../surfaces/uri-template.ts";

/** The server of a call, as it is known at this moment. Asked again when the call is settled. */
export interface CallSurface {
  readonly named: NamedServer;
  /** What the session of the call was shown; null where it reported nothing. */
  readonly reported: () => ReportedSurface | null;
  /** Null where nobody ever reported it. */
  readonly known: () => KnownServer | null;
}

export interface QuarantineFinding {
  readonly answer: Extract<GateAnswer, "ALLOW" | "DENY" | "SKIP">;
  readonly denial: Denial | null;
  /** `sha256:<hex>` of the approved surface; null where nobody looked at one. */
  readonly surface: string | null;
}

type Put = Pick<SensorEvent, "action" | "args" | "phase">;

/**
 * Is what is called the tool that was approved? Held against what the call's own session was shown, and that against the baseline. A
 * result is withheld only where its tool is quarantined by now: its effect is there already.
 *
 * @param now_ms null: no report is too old
 */
export const quarantineGate = (call: CallSurface, event: Put, now_ms: number | null): QuarantineFinding => {
  const known = call.known();
  const surface = known?.record.baseline?.hash ?? null;
  const denial = denialOf(call.reported(), known, event, now_ms);
  if (denial === "skip") return { answer: "SKIP", denial: null, surface };
  return denial === null ? { answer: "ALLOW", denial: null, surface } : { answer: "DENY", denial, surface };
};

/**
 * The same at the moment at which a call is let run, or a result delivered. A report that is over since it was judged takes nothing
 * back.
 */
export const heldSince = (call: CallSurface, event: Put): Denial | null => quarantineGate(call, event, null).denial;

/** What keeps every call of a server from running; null where it is for each item to say. */
export const serverDenial = (known: KnownServer, seen: SeenSurface): Denial | null => {
  const { trust, self, baseline } = known.record;
  if (trust === "removed") return removed;
  if (self?.action === "quarantine") return selfQuarantined;
  if (seen.self === null) return null;
  return seen.self.baseline === (baseline?.version ?? 0) ? selfHeld : moved;
};

const denialOf = (
  reported: ReportedSurface | null,
  known: KnownServer | null,
  event: Put,
  now_ms: number | null,
): Denial | "skip" | null => {
  if (known?.record.trust === "removed") return removed;
  if (event.phase === "result") return resultDenial(known, event);
  if (reported === null || known === null) return unknown;
  const ofServer = serverDenial(known, reported.newest);
  if (ofServer !== null) return ofServer;
  const named = namedBy(event);
  if (named.kind === "resource") return resourceDenial(named, reported, known, now_ms);
  return itemDenial(named, reported, known, now_ms);
};

/** A template that is listed no more is quarantined all the same: whoever read it still makes URIs by it. */
const isOfQuarantinedTemplate = ({ name }: ItemRef, { quarantined }: KnownServer): boolean => {
  for (const { kind, name: template } of quarantined.values()) {
    if (kind === "template" && couldMatch(template, name)) return true;
  }
  return false;
};

/** A resource that is listed is that one; any other is one of every template that could make it, or nobody's. */
const resourceDenial = (
  named: ItemRef,
  reported: ReportedSurface,
  known: KnownServer,
  now_ms: number | null,
): Denial | "skip" | null => {
  const key = itemKey(named);
  const isListed = reported.kinds.get("resource")?.seen.hashes.has(key) === true;
  if (isListed || known.quarantined.has(key)) return itemDenial(named, reported, known, now_ms);
  if (isOfQuarantinedTemplate(named, known)) return quarantined;
  const templates = reported.kinds.get("template")?.seen.templates ?? [];
  const making = templates.filter((template) => couldMatch(template, named.name));
  if (making.length === 0) return "skip";
  for (const name of making) {
    const denied = itemDenial({ kind: "template", name }, reported, known, now_ms);
    if (denied !== null) return denied;
  }
  return null;
};

const itemDenial = (
  item: ItemRef,
  { kinds }: ReportedSurface,
  known: KnownServer,
  now_ms: number | null,
): Denial | null => {
  const key = itemKey(item);
  if (known.quarantined.has(key)) return quarantined;
  const report = kinds.get(item.kind);
  if (report === undefined) return unknown;
  const { at_ms, seen, until_ms } = report;
  // A clock that was set back makes no report last longer.
  if (now_ms !== null && (now_ms >= until_ms || now_ms < at_ms)) return stale;
  const hash = seen.hashes.get(key);
  if (hash === undefined) return item.kind === "prompt" ? promptUnlisted : unlisted;
  const approved = known.approved.get(key) ?? null;
  if (hash === approved) return null;
  const drift = seen.drifted.get(key);
  // Judged by what is approved no more: the client lists anew, and it is judged by what is.
  if (drift === undefined || drift.approved_hash !== approved) return moved;
  switch (drift.action) {
    case "quarantine":
    case "deny":
      return held;
    case "monitor":
    case "allow":
      return null;
  }
};

const resultDenial = (known: KnownServer | null, event: Put): Denial | "skip" | null => {
  if (known === null) return "skip";
  if (known.record.self?.action === "quarantine") return selfQuarantined;
  const named = namedBy(event);
  const key = itemKey(named);
  if (known.quarantined.has(key)) return withheld;
  if (named.kind !== "resource" || known.approved.has(key)) return null;
  return isOfQuarantinedTemplate(named, known) ? withheld : null;
};

const namedBy = ({ action, args }: Put): ItemRef => {
  if (action === getPrompt) return { kind: "prompt", name: textOf(args.name) };
  if (action === readResource) return { kind: "resource", name: textOf(args.uri) };
  return { kind: "tool", name: action };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const denial = (code: Denial["code"], reason: string): Denial =>
  Object.freeze({ code, reason, policyId: null, attributedTo: null });

const removed = denial("server_removed", "an operator removed this server; interlock servers trust brings it back");
const unknown = denial("surface_unknown", "what this server offers was not reported; list it, report it and ask again");
const stale = denial(
  "surface_stale",
  "what this server offers was reported too long ago; list it, report it and ask again",
);
const moved = denial(
  "surface_stale",
  "what is approved of this server has changed since it was listed; list it, report it and ask again",
);
const unlisted = denial("tool_unlisted", "the server did not list this tool");
const promptUnlisted = denial("tool_unlisted", "the server did not list this prompt");
const held = denial("tool_held", "it is not as it was approved; interlock drift show says what changed");
const quarantined = denial(
  "tool_quarantined",
  "it is quarantined; interlock drift show says why, an operator's approval ends it",
);
const withheld = denial(
  "tool_quarantined",
  "its tool is quarantined since; the result is withheld, the effect may be there",
);
const selfHeld = denial(
  "tool_held",
  "the server is not the one that was approved; interlock servers show says what changed",
);
const selfQuarantined = denial(
  "tool_quarantined",
  "the server is quarantined; interlock servers show says why, an operator's rebaseline ends it",
);
