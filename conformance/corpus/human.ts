import { asked, connect, exchange, frame, hello, helloed, receive, request, send } from "./authoring.ts";
import type { Entry } from "./format.ts";

const money = '{"action":"wire_money","args":{"amount":7}}';

/** Escalation: verdict 3, what it carries, and what beats it. */
export const humanEntries: readonly Entry[] = [
  asked(
    "an-escalation-reaches-the-client",
    "The client's own onEscalate decides; here it is the decision that is looked at.",
    { action: "wire_money", args: { amount: 7 } },
    { verdict: "ESCALATE", reason: "a person must agree", policy_id: "p.escalate", attributed_to: "amount" },
  ),
  frame(
    "an-escalation-is-sent-to-a-v1-client-as-3",
    "A client that does not know 3 blocks; one that does would miss the person if it were sent a block.",
    request("ask", money).trimEnd(),
    {
      answer: {
        id: "ask",
        verdict: "ESCALATE",
        reason: "a person must agree",
        policy_id: "p.escalate",
        attributed_to: "amount",
      },
    },
  ),
  exchange("an-escalation-is-sent-after-hello", "The same with the feature.", [
    connect(),
    send(hello("h", '["escalate"]')),
    receive([helloed("h")]),
    send(request("ask", money)),
    receive([
      {
        answer: {
          id: "ask",
          verdict: "ESCALATE",
          reason: "a person must agree",
          policy_id: "p.escalate",
          attributed_to: "amount",
        },
      },
    ]),
  ]),
  exchange("an-operators-yes-has-its-own-code", "The client can request it and never grant it.", [
    connect(),
    send(hello("h", '["details"]')),
    receive([helloed("h")]),
    send(request("ask", '{"action":"close_account","args":{}}') + request("client", money)),
    receive([
      {
        answer: {
          id: "ask",
          verdict: "ESCALATE",
          reason: "an operator must agree",
          policy_id: "p.escalate-operator",
          details: { code: "escalated_operator" },
        },
      },
      {
        answer: {
          id: "client",
          verdict: "ESCALATE",
          reason: "a person must agree",
          policy_id: "p.escalate",
          attributed_to: "amount",
          details: { code: "escalated" },
        },
      },
    ]),
  ]),
  asked(
    "a-block-beats-an-escalation",
    "Nobody is asked about a call that is refused, whichever rule came first.",
    { action: "escalate_then_block", args: {} },
    { verdict: "BLOCK", reason: "never allowed", policy_id: "p.block-wins" },
  ),
  asked(
    "an-escalation-carries-the-rewritten-arguments",
    "What a person approves is exactly what will run.",
    { action: "rewrite_and_escalate", args: { amount: 500 } },
    {
      verdict: "ESCALATE",
      reason: "a person must agree",
      policy_id: "p.escalate-capped",
      modified_args: { amount: 100 },
    },
  ),
  frame(
    "an-escalation-of-a-rewritten-call-carries-it-to-a-v1-client",
    "The same without hello.",
    request("both", '{"action":"rewrite_and_escalate","args":{"amount":500}}').trimEnd(),
    {
      answer: {
        id: "both",
        verdict: "ESCALATE",
        reason: "a person must agree",
        policy_id: "p.escalate-capped",
        modified_args: { amount: 100 },
      },
    },
  ),
  asked(
    "an-escalation-without-a-rewrite-carries-none",
    "The control of the entry above.",
    { action: "rewrite_and_escalate", args: { amount: 5 } },
    { verdict: "ESCALATE", reason: "a person must agree", policy_id: "p.escalate-capped" },
  ),
  frame(
    "a-result-is-never-escalated",
    "Its effects stand: there is nothing left to approve, so it is blocked.",
    request("late", '{"action":"escalate_result","args":{"armed":true},"phase":"result"}').trimEnd(),
    { answer: { id: "late", verdict: "BLOCK", reason_contains: ["person"], policy_id: "p.escalate-result" } },
  ),
];
