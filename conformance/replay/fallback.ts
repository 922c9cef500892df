import { isDeepStrictEqual } from "node:util";
import type { DecisionEntry, DocumentEntry, FallbackCorpus, PayloadEntry } from "../fallback/format.ts";
import type { Answer, Task, TaskClient } from "../line/protocol.ts";
import { ReplayFailure } from "./raw-connection.ts";

/** One entry of fallback.json, put to a client. Each throws `ReplayFailure`. */
export interface FallbackPlay {
  readonly name: string;
  readonly run: (client: TaskClient) => Promise<void>;
}

/** The names of entries of different lists may be the same: they are told apart by the list. */
export const fallbackPlays = (corpus: FallbackCorpus): readonly FallbackPlay[] => [
  ...corpus.documents.map((entry) => play("document", entry, documentTask(entry, corpus), refusedOr(entry.expect))),
  ...corpus.payloads.map((entry) => play("payload", entry, payloadTask(entry), refusedOr(entry.expect))),
  ...corpus.decisions.map((entry) => play("decision", entry, decisionTask(entry, corpus), decided(entry))),
];

type Expected = (answer: Answer) => boolean;

const play = (list: string, { name }: { readonly name: string }, task: Task, isRight: Expected): FallbackPlay => ({
  name: `${list}-${name}`,
  run: async (client) => {
    const answer = await client.do(task);
    if (!isRight(answer)) throw new ReplayFailure(`answered ${JSON.stringify(answer)}`);
  },
});

const documentTask = ({ document, key, now, seen }: DocumentEntry, { keys }: FallbackCorpus): Task => ({
  op: "fallback_document",
  document,
  keys: keys[key] ?? "",
  now,
  seen,
});

const payloadTask = ({ payload }: PayloadEntry): Task => ({ op: "fallback_payload", payload });

const decisionTask = ({ policy, event }: DecisionEntry, { policies }: FallbackCorpus): Task => ({
  op: "fallback_decision",
  payload: policies[policy] ?? "",
  event,
});

/** A payload has no codes: any refusal is one. */
const refusedOr = (expect: string): Expected => {
  if (expect === "accepted") return (answer) => "accepted" in answer;
  return (answer) => "refused" in answer && (expect === "refused" || answer.refused === expect);
};

const decided =
  ({ expect }: DecisionEntry): Expected =>
  (answer) =>
    "rule" in answer && isDeepStrictEqual({ verdict: answer.verdict, rule: answer.rule }, { ...expect });
