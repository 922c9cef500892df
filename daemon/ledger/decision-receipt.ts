import { checkedTime, type Link, NotRecordable, quoted, quotedOrNull } from "./receipt.ts";
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
    text = flat(`{"action":${quoted(r.action, "action")},"args_commitment":"`);
    of = r.action;
    return text;
  };
};

const attribution = (): Stretch => {
  let text = "";
  let of: string | null = null;
  return (r) => {
    if (text !== "" && r.attributed_to === of) return text;
    text = flat(`","attributed_to":${quotedOrNull(r.attributed_to, "attributed_to")},"call_id":`);
    of = r.attributed_to;
    return text;
  };
};

const judgement = (chain: string): Stretch => {
  let [text, code, phase, kept] = ["", "", "", false];
  let parent: string | null = null;
  let policy: string | null = null;
  return (r) => {
    const keeps = r.keep !== null;
    const stands = r.code === code && r.phase === phase && keeps === kept;
    if (text !== "" && stands && r.parent_principal === parent && r.policy_id === policy) return text;
    text = flat(
      `,"chain":"${chain}","code":"${r.code}","kept":${keeps},"kind":"decision"` +
        `,"parent_principal":${quotedOrNull(r.parent_principal, "parent_principal")},"phase":"${r.phase}"` +
        `,"policy_id":${quotedOrNull(r.policy_id, "policy_id")},"prev":"`,
    );
    [code, phase, kept, parent, policy] = [r.code, r.phase, keeps, r.parent_principal, r.policy_id];
    return text;
  };
};

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
  let [text, of] = ["", ""];
  return (r) => {
    if (text !== "" && r.rules === of) return text;
    text = flat(`,"rules":${quoted(r.rules, "rules")},"seq":`);
    of = r.rules;
    return text;
  };
};

const session = (): Stretch => {
  let text = "";
  let of: string | null = null;
  let span: string | null = null;
  return (r) => {
    if (text !== "" && r.session === of && r.span_id === span) return text;
    text = flat(
      `,"session":${quotedOrNull(r.session, "session")},"span_id":${quotedOrNull(r.span_id, "span_id")},"time_ms":`,
    );
    [of, span] = [r.session, r.span_id];
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
    text = flat(`,"trace":${r.traceJson},"transaction_id":${id},"v":1,"verdict":"${r.verdict}"}`);
    [trace, verdict, transaction] = [r.traceJson, r.verdict, r.transaction_id];
    return text;
  };
};

export type DecisionReceiptWriter = (record: DecisionRecord, link: Link, commitment: string) => string;

/** `commitment` is `sha256:` and 64 hex digits. Throws NotRecordable for a record that has no JSON form. */
export const decisionReceiptWriter = (chain: string): DecisionReceiptWriter => {
  const [s1, s2, s3, s4] = [action(), attribution(), judgement(chain), identity()];
  const [s5, s6, s7] = [rules(), session(), outcome()];
  return (r, link, commitment) => {
    const call = quotedOrNull(r.call_id, "call_id");
    const request = quoted(r.request, "request");
    const head = s1(r) + commitment + s2(r) + call + s3(r) + link.prev + s4(r) + request;
    // Flat: it is read twice, once to be hashed and once to be stored.
    return flat(head + s5(r) + link.seq + s6(r) + checkedTime(r.time_ms) + s7(r));
  };
};
