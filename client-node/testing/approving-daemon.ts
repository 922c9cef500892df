import { answerTo, type Script, welcome } from "./scripted-daemon.ts";

type Fields = Readonly<Record<string, unknown>>;
type Details = Readonly<Record<string, unknown>>;

export const detailsOf = (code: string, more: Details = {}): Details => ({
  code,
  approval_id: null,
  transaction_id: null,
  errors: [],
  replayed: false,
  ...more,
});

interface Kept {
  readonly approvalId: string;
  readonly action: string;
  readonly args: Fields;
  status: "pending" | "granted" | "denied" | "used";
}

/**
 * What a daemon keeps of approvals and transactions, apart from its connections, so that it outlives a restart. Calls of `gated` actions
 * wait for an operator, others are authorized.
 */
export class ApprovalBook {
  /** By call id. */
  readonly kept = new Map<string, Kept>();
  /** Every frame that was no hello, without its id and version, in order. */
  readonly frames: Fields[] = [];
  readonly #gated: readonly string[];
  readonly #reason: string;
  #count = 0;

  constructor(gated: readonly string[], reason = "ask") {
    this.#gated = gated;
    this.#reason = reason;
  }

  settle(action: string, status: "granted" | "denied"): void {
    for (const approval of this.kept.values()) if (approval.action === action) approval.status = status;
  }

  /** The fields of an answer. */
  judge(frame: Fields): Fields {
    const { id: _id, v: _v, ...body } = frame;
    this.frames.push(body);
    if (body.event !== undefined) return this.#judgeEvent(body.event as Fields);
    if (body.resume !== undefined) return this.#resume(body.resume as Fields);
    return { details: detailsOf("outcome_recorded") };
  }

  /** The frames of one kind. */
  of(kind: "event" | "resume" | "outcome"): Fields[] {
    return this.frames.filter((frame) => frame[kind] !== undefined).map((frame) => frame[kind] as Fields);
  }

  #judgeEvent({ action, args, phase, call_id }: Fields): Fields {
    if (phase === "result") return { details: detailsOf("unknown_allowed") };
    if (!this.#gated.includes(action as string)) return this.#authorized({}, 0);
    const approvalId = `ap_${++this.#count}`;
    this.kept.set(call_id as string, {
      approvalId,
      action: action as string,
      args: args as Fields,
      status: "pending",
    });
    return { verdict: 3, reason: this.#reason, details: detailsOf("escalated_operator", { approval_id: approvalId }) };
  }

  #resume({ approval_id, call_id, action }: Fields): Fields {
    const approval = this.kept.get(call_id as string);
    if (approval?.approvalId !== approval_id || approval?.action !== action) {
      return { verdict: 1, reason: "another call", details: detailsOf("approval_other_call") };
    }
    switch (approval?.status) {
      case "granted":
        approval.status = "used";
        return this.#authorized({ modified_args: approval.args }, 2);
      case "pending":
        return { verdict: 3, reason: this.#reason, details: detailsOf("approval_pending", { approval_id }) };
      default:
        return { verdict: 1, reason: `it is ${approval?.status}`, details: detailsOf(`approval_${approval?.status}`) };
    }
  }

  #authorized(fields: Fields, verdict: number): Fields {
    return { ...fields, verdict, details: detailsOf("allowed", { transaction_id: `tx_${++this.#count}` }) };
  }
}

export const approving =
  (book: ApprovalBook, afterEach: () => void = () => {}): Script =>
  async (peer) => {
    await welcome(peer);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      peer.send(answerTo(frame.id, book.judge(frame)));
      afterEach();
    }
  };
