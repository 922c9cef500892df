import type { Commitments } from "./commitments.ts";
import { checkedInteger, type Link, NotRecordable, quoted, quotedOrNull } from "./receipt.ts";
import type { DecisionRecord } from "./record.ts";

/**
 * The receipt of a decision as RFC 8785 text, written key by key in sorted order; a test holds it equal to the
 * canonical form of what it parses to.
 *
 * It is on the path of every verdict. Between the fields that differ from call to call lie stretches that mostly do
 * not; each is kept as one flat string and written anew when a field in it differs. That costs a third of writing all.
 * A stretch that cannot be written throws before it is kept, so what is kept always belongs to its fields.
 */
type Stretch = (record: DecisionRecord) => string;

/** A string that was joined is a tree until it is read; read once here, it is copied as one block ever after. */
const flat = (text: string): string => {
  text.charCodeAt(0);
  return text;
};

const action = (): Stretch => {
  let [text, of] = ["", ""];
  return (r) => {
    if (text !== "" && r.action === of) return text;
    text = flat(`{"action":${quoted(r.action, "action")},"args_commitment":`);
    of = r.action;
    return text;
  };
};

const attribution = (): Stretch => {
  let text = "";
  let of: string | null = null;
  return (r) => {
    if (text !== "" && r.attributed_to === of) return text;
    text = flat(`,"attributed_to":${quotedOrNull(r.attributed_to, "attributed_to")},"call_id":`);
    of = r.attributed_to;
    return text;
  };
};

const client = (chain: string): Stretch => {
  let [text, code] = ["", ""];
  let of: string | null = null;
  let contract: string | null = null;
  return (r) => {
    if (text !== "" && r.client === of && r.code === code && r.contract === contract) return text;
    text = flat(
      `,"chain":"${chain}","client":${quotedOrNull(r.client, "client")},"code":"${r.code}"` +
        `,"contract":${quotedOrNull(r.contract, "contract")},"decided":`,
    );
    [of, code, contract] = [r.client, r.code, r.contract];
    return text;
  };
};

const judgement = (): Stretch => {
  let [text, phase, kept] = ["", "", false];
  let grade: string | null = null;
  let bound: string | null = null;
  let offline: DecisionRecord["offline"] = null;
  let parent: string | null = null;
  let policies: readonly string[] = [];
  let policy: string | null = null;
  return (r) => {
    const keeps = r.keep !== null;
    // The sets of one state are one list: the same list says the same.
    const stands = r.phase === phase && keeps === kept && r.grade === grade && r.policies === policies;
    const isOf = r.parent_principal === parent && r.policy_id === policy && r.identity === bound;
    if (text !== "" && stands && isOf && r.offline === offline) return text;
    text = flat(
      `,"grade":${quotedOrNull(r.grade, "grade")},"identity":${quotedOrNull(r.identity, "identity")}` +
        `,"kept":${keeps},"kind":"decision","offline":${offlineText(r.offline)}` +
        `,"parent_principal":${quotedOrNull(r.parent_principal, "parent_principal")},"phase":"${r.phase}"` +
        `,"policies":${listOf(r.policies, "policies")}` +
        `,"policy_id":${quotedOrNull(r.policy_id, "policy_id")},"prev":"`,
    );
    [phase, kept, grade, bound, offline] = [r.phase, keeps, r.grade, r.identity, r.offline];
    [parent, policies, policy] = [r.parent_principal, r.policies, r.policy_id];
    return text;
  };
};

const offlineText = (offline: DecisionRecord["offline"]): string =>
  offline === null
    ? "null"
    : `{"at_ms":${checkedInteger(offline.at_ms, "offline.at_ms")},"policy":${quoted(offline.policy, "offline.policy")}}`;

const listOf = (texts: readonly string[], field: string): string =>
  `[${texts.map((text) => quoted(text, field)).join(",")}]`;

const identity = (): Stretch => {
  let [text, source, reason] = ["", "", ""];
  let principal: string | null = null;
  return (r) => {
    if (text !== "" && r.principal === principal && r.principal_source === source && r.reason === reason) return text;
    text = flat(
      `","principal":${quotedOrNull(r.principal, "principal")},"principal_source":"${r.principal_source}"` +
        `,"reason":${quoted(r.reason, "reason")},"request":`,
    );
    [principal, source, reason] = [r.principal, r.principal_source, r.reason];
    return text;
  };
};

const rules = (): Stretch => {
  let [text, of, version] = ["", "", -1];
  let scope: string | null = null;
  return (r) => {
    if (text !== "" && r.rules === of && r.rules_version === version && r.scope === scope) return text;
    const rules_version = checkedInteger(r.rules_version, "rules_version");
    text = flat(
      `,"rules":${quoted(r.rules, "rules")},"rules_version":${rules_version}` +
        `,"scope":${quotedOrNull(r.scope, "scope")},"seq":`,
    );
    [of, version, scope] = [r.rules, r.rules_version, r.scope];
    return text;
  };
};

const session = (): Stretch => {
  let text = "";
  let of: string | null = null;
  let span: string | null = null;
  let surface: string | null = null;
  return (r) => {
    if (text !== "" && r.session === of && r.span_id === span && r.surface === surface) return text;
    text = flat(
      `,"session":${quotedOrNull(r.session, "session")},"span_id":${quotedOrNull(r.span_id, "span_id")}` +
        `,"surface":${quotedOrNull(r.surface, "surface")},"time_ms":`,
    );
    [of, span, surface] = [r.session, r.span_id, r.surface];
    return text;
  };
};

const outcome = (): Stretch => {
  let [text, trace, verdict] = ["", "", ""];
  let transaction: string | null = null;
  return (r) => {
    if (text !== "" && r.traceJson === trace && r.verdict === verdict && r.transaction_id === transaction) return text;
    if (!r.traceJson.startsWith("[")) throw new NotRecordable("trace is not an array");
    const id = quotedOrNull(r.transaction_id, "transaction_id");
    text = flat(`,"trace":${r.traceJson},"transaction_id":${id},"v":2,"verdict":"${r.verdict}"}`);
    [trace, verdict, transaction] = [r.traceJson, r.verdict, r.transaction_id];
    return text;
  };
};

export type DecisionReceiptWriter = (record: DecisionRecord, link: Link, commitments: Commitments) => string;

/** Throws NotRecordable for a record that has no JSON form. */
export const decisionReceiptWriter = (chain: string): DecisionReceiptWriter => {
  const [s1, s2, s3, s4] = [action(), attribution(), client(chain), judgement()];
  const [s5, s6, s7, s8] = [identity(), rules(), session(), outcome()];
  return (r, link, { put, final }) => {
    const isCall = r.phase === "call";
    const args = isCall ? `"${put}"` : "null";
    const response = isCall ? ',"response_commitment":null' : `,"response_commitment":"${put}"`;
    const final_commitment = final === null ? ',"final_commitment":null' : `,"final_commitment":"${final}"`;
    const decided = r.decided === null ? "null" : checkedInteger(r.decided, "decided");
    const call = quotedOrNull(r.call_id, "call_id");
    const request = quoted(r.request, "request");
    const head = s1(r) + args + s2(r) + call + s3(r) + decided + final_commitment + s4(r) + link.prev;
    const time_ms = checkedInteger(r.time_ms, "time_ms");
    // Flat: it is read twice, once to be hashed and once to be stored.
    return flat(head + s5(r) + request + response + s6(r) + link.seq + s7(r) + time_ms + s8(r));
  };
};
