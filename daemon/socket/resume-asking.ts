import { canonicalJson } from "../../wire/canonical.ts";
import { decodeValue } from "../../wire/codec.ts";
import { allFeatures } from "../../wire/features.ts";
import type { ResumeBody } from "../../wire/request-bodies.ts";
import { eventFrame } from "../../wire/request-frame.ts";
import type { WireObject } from "../../wire/value.ts";
import type { Judgement } from "../engine/judgement.ts";
import { type Acting, nobodyNamed } from "../identity/acting.ts";
import type { BoundIdentity } from "../identity/bound-identity.ts";
import type { Identities } from "../identity/identities.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import { resumeAction } from "../ledger/resume-action.ts";
import { type Maybe, whenDone } from "../store/steps.ts";
import type { ApprovedCalls } from "../transactions/shown-call.ts";
import type { Asking } from "./asked-question.ts";
import { refusedBy } from "./identified.ts";

/** What it needs of the bench. */
interface ResumeBench {
  readonly approved: ApprovedCalls;
  readonly identities: Identities;
  readonly now_ms: () => number;
}

/**
 * The question that a resume puts: the approved call, from the daemon's own keeping, under the client's call id. Everything judges it
 * again. Throws StoreFailed.
 */
export const resumeAsking = (
  line: Uint8Array,
  id: string,
  { approval_id, call_id, action }: ResumeBody,
  { approved, identities, now_ms }: ResumeBench,
  token: BoundIdentity | null,
): Maybe<Asking> => {
  const without = withoutCall(line, id, approval_id, call_id);
  const resumer = identities.acting(nobodyNamed, token);
  if (resumer.refused !== null) return without(resumer, refusedBy(resumer.refused));
  return whenDone(approved.find(approval_id, now_ms()), (found): Asking => {
    if (found === null) return without(resumer, missing);
    if (found === "gone") return without(resumer, gone);
    // Whose call it is decides who may resume it. Anybody else is not told that it is there.
    const acting = identities.acting(found, token);
    if (acting.refused !== null) return without(resumer, missing);
    if (action !== null && action !== found.action) return without(resumer, otherCall);
    const args = decodeValue(found.args, { escape: true }) as WireObject;
    const { parent_principal } = found;
    const { principal } = acting;
    const event = {
      action: found.action,
      args,
      phase: "call" as const,
      principal,
      parent_principal,
      span_id: null,
      ts: null,
      call_id,
    };
    return {
      line,
      judgedLine: Buffer.from(eventFrame(id, event, allFeatures)),
      id,
      received: { event, argsJson: found.args, grade: null, server: found.server ?? null },
      acting,
      argsCanonical: canonicalJson(found.args),
      resume: { approval_id, call_id },
      fixed: null,
    };
  });
};

/** A resume that has no call to put, and what it is answered. */
const withoutCall =
  (line: Uint8Array, id: string, approval_id: string, call_id: string) =>
  (acting: Acting, judged: Judgement): Asking => {
    const argsJson = { approval_id };
    const event = {
      action: resumeAction,
      args: argsJson,
      phase: "call" as const,
      principal: acting.principal,
      parent_principal: null,
      span_id: null,
      ts: null,
      call_id,
    };
    const received = { event, argsJson, grade: null, server: null };
    const fixed = { judged, plan: null };
    return {
      line,
      judgedLine: line,
      id,
      received,
      acting,
      argsCanonical: canonicalJson(argsJson),
      resume: null,
      fixed,
    };
  };

const missing = blockJudgement("approval_missing", "there is no approval of this id for this call id");
const gone = blockJudgement("approval_expired", "the approval is past its time; ask again");
const otherCall = blockJudgement("approval_other_call", "the approval is for another action");
