import type { ControlRecord, DecisionRecord } from "./record.ts";

/** Where a receipt stands: its chain, its place, and the hash of the receipt before it. */
export interface Link {
  readonly chain: string;
  readonly seq: number;
  readonly prev: string;
}

/** This record has no JSON form, so no receipt. `message` names the field, never its value. */
export class NotRecordable extends Error {
  override readonly name = "NotRecordable";
}

/** JSON.stringify quotes as JCS does, but for a lone surrogate, which JCS refuses. */
const quoted = (text: string, field: string): string => {
  if (!text.isWellFormed()) throw new NotRecordable(`${field} is not well-formed Unicode`);
  return JSON.stringify(text);
};

const quotedOrNull = (text: string | null, field: string): string => (text === null ? "null" : quoted(text, field));

const time = (time_ms: number): number => {
  if (!Number.isSafeInteger(time_ms)) throw new NotRecordable("time_ms is not an integer");
  return time_ms;
};

/**
 * The receipt of a decision as RFC 8785 text. Written key by key in sorted order: it is on the path of every verdict,
 * and sorting each time would cost more than hashing. A test holds it equal to the canonical form of what it parses to.
 */
export const decisionReceipt = (record: DecisionRecord, link: Link, commitment: string): string => {
  if (!record.traceJson.startsWith("[")) throw new NotRecordable("trace is not an array");
  return (
    `{"action":${quoted(record.action, "action")},"args_commitment":"${commitment}"` +
    `,"attributed_to":${quotedOrNull(record.attributed_to, "attributed_to")}` +
    `,"call_id":${quotedOrNull(record.call_id, "call_id")},"chain":"${link.chain}","code":"${record.code}"` +
    `,"kind":"decision","parent_principal":${quotedOrNull(record.parent_principal, "parent_principal")}` +
    `,"phase":"${record.phase}","policy_id":${quotedOrNull(record.policy_id, "policy_id")},"prev":"${link.prev}"` +
    `,"principal":${quotedOrNull(record.principal, "principal")},"principal_source":"${record.principal_source}"` +
    `,"reason":${quoted(record.reason, "reason")},"request":${quoted(record.request, "request")}` +
    `,"rules":${quoted(record.rules, "rules")},"seq":${link.seq}` +
    `,"session":${quotedOrNull(record.session, "session")},"span_id":${quotedOrNull(record.span_id, "span_id")}` +
    `,"time_ms":${time(record.time_ms)},"trace":${record.traceJson},"transaction_id":null,"v":1` +
    `,"verdict":"${record.verdict}"}`
  );
};

/** The receipt of what the daemon did to itself. */
export const controlReceipt = (record: ControlRecord, link: Link): string =>
  `{"chain":"${link.chain}","detail":${quoted(record.detail, "detail")},"event":"${record.event}","kind":"control"` +
  `,"prev":"${link.prev}","rules":${quotedOrNull(record.rules, "rules")}` +
  `,"rules_before":${quotedOrNull(record.rules_before, "rules_before")},"seq":${link.seq}` +
  `,"time_ms":${time(record.time_ms)},"v":1}`;
