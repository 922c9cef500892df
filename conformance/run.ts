import { join } from "node:path";
import type { Corpus, Entry, V1Case, V1Negative } from "./corpus/format.ts";
import type { FallbackCorpus } from "./fallback/format.ts";
import { LineClient } from "./line/line-client.ts";
import { NodeTaskClient } from "./line/node-task-client.ts";
import type { TaskClient } from "./line/protocol.ts";
import { playCase } from "./replay/case.ts";
import { playExchange, playFrame } from "./replay/exchange.ts";
import { fallbackPlays } from "./replay/fallback.ts";
import { playOversized } from "./replay/oversized.ts";
import { ReplayFailure } from "./replay/raw-connection.ts";
import {
  answers,
  DaemonDidNotStart,
  packageRoot,
  type RunningDaemon,
  readCorpusText,
  readFallbackCorpusText,
  startDaemon,
} from "./running-daemon.ts";

/** A daemon that runs already and serves conformance/rules.ts with `unknown: allow`, or one to start. */
export type ConformanceTarget = ({ readonly socket: string } | { readonly program?: string | undefined }) & {
  /** The command of a client that speaks the line protocol. Default: the Node client. */
  readonly client?: string | undefined;
  /** `left_out`: the client does not offer degraded, so that fallback.json asks nothing of it. */
  readonly fallback?: "left_out" | undefined;
};

export interface ConformanceFailure {
  readonly name: string;
  readonly kind: "case" | "negative" | "frame" | "exchange" | "daemon" | "fallback";
  /** One line. */
  readonly problem: string;
}

export interface ConformanceReport {
  readonly passed: number;
  readonly failed: readonly ConformanceFailure[];
  readonly elapsed_ms: number;
  /** The daemon's stderr, where it was started here and something failed. */
  readonly stderr: string;
}

interface Play {
  readonly name: string;
  readonly kind: ConformanceFailure["kind"];
  readonly run: () => Promise<void>;
}

/**
 * Replays the whole corpus against a real daemon: cases through the client, everything else over raw sockets.
 * Throws `DaemonDidNotStart`, `LineClientFailed`; everything that goes wrong later is in the report.
 */
export const runConformance = async (
  target: ConformanceTarget,
  onFailure: (failure: ConformanceFailure) => void = () => undefined,
): Promise<ConformanceReport> => {
  const corpus = parseCorpus(await readCorpusText());
  const fallback = parseFallbackCorpus(await readFallbackCorpusText());
  const rules = join(packageRoot(), "conformance", "rules.ts");
  if ("socket" in target && !(await answers(target.socket))) {
    throw new DaemonDidNotStart(`nobody serves ${target.socket}; start the daemon, or leave --socket out`);
  }
  const daemon = "socket" in target ? null : await startDaemon({ rules, program: target.program });
  const socket = "socket" in target ? target.socket : (daemon as RunningDaemon).socket;
  const client = target.client === undefined ? new NodeTaskClient() : new LineClient(target.client);
  const started_ms = Date.now();
  const failed: ConformanceFailure[] = [];
  let passed = 0;
  try {
    const offline = target.fallback === "left_out" ? [] : fallbackPlaysOf(fallback, client);
    const plays = [...playsOf(corpus, socket, client), ...offline, aliveness(socket, daemon)];
    for (const { name, kind, run } of plays) {
      const problem = await problemOf(run);
      if (problem === null) passed++;
      else {
        failed.push({ name, kind, problem });
        onFailure({ name, kind, problem });
      }
    }
    const stderr = failed.length > 0 ? (daemon?.stderr() ?? "") : "";
    return { passed, failed, elapsed_ms: Date.now() - started_ms, stderr };
  } finally {
    await client.close();
    await daemon?.stop();
  }
};

const problemOf = async (run: () => Promise<void>): Promise<string | null> => {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof ReplayFailure) return error.message;
    throw error;
  }
};

const parseCorpus = (text: string): Corpus => {
  const corpus = JSON.parse(text) as Corpus;
  if (corpus.corpus_version !== 1 || corpus.entries_version !== 1) {
    throw new Error("conformance/corpus.json is of a version that this runner does not know");
  }
  return corpus;
};

const parseFallbackCorpus = (text: string): FallbackCorpus => {
  const corpus = JSON.parse(text) as FallbackCorpus;
  if (corpus.fallback_version === 1) return corpus;
  throw new Error("conformance/fallback.json is of a version that this runner does not know");
};

const fallbackPlaysOf = (corpus: FallbackCorpus, client: TaskClient): readonly Play[] =>
  fallbackPlays(corpus).map(({ name, run }) => ({ name, kind: "fallback", run: () => run(client) }));

const playsOf = (corpus: Corpus, socket: string, client: TaskClient): readonly Play[] => [
  ...corpus.cases.map((one) => casePlay(one, socket, client)),
  ...corpus.negatives.map((one) => negativePlay(one, socket)),
  ...corpus.entries.map((entry) => entryPlay(entry, socket, client)),
];

const casePlay = ({ name, event, expect }: V1Case, socket: string, client: TaskClient): Play => ({
  name,
  kind: "case",
  run: () => playCase(client, socket, event, "error" in expect ? { error: expect.error, by: "daemon" } : given(expect)),
});

/** v1 writes every field; an expectation here leaves out the empty ones. */
const given = ({ note: _, modified_args, ...fields }: Exclude<V1Case["expect"], { error: string }>) =>
  modified_args === null ? fields : { ...fields, modified_args };

const negativePlay = (negative: V1Negative, socket: string): Play => ({
  name: negative.name,
  kind: "negative",
  run: () =>
    negative.kind === "oversized"
      ? playOversized(socket, negative.error)
      : playFrame(socket, {
          kind: "frame",
          name: negative.name,
          note: negative.note,
          line: [negative.line],
          expect: { error: negative.error },
          afterwards: "open",
        }),
});

const entryPlay = (entry: Entry, socket: string, client: TaskClient): Play => ({
  name: entry.name,
  kind: entry.kind,
  run: () => {
    switch (entry.kind) {
      case "case":
        return playCase(client, socket, entry.event, entry.expect);
      case "frame":
        return playFrame(socket, entry);
      case "exchange":
        return playExchange(socket, entry);
    }
  },
});

/** After everything that was thrown at it the daemon still serves. */
const aliveness = (socket: string, daemon: RunningDaemon | null): Play => ({
  name: "the-daemon-is-alive-after-the-replay",
  kind: "daemon",
  run: async () => {
    if (daemon !== null && !daemon.isAlive()) throw new ReplayFailure("its process has ended");
    await playFrame(socket, {
      kind: "frame",
      name: "alive",
      note: "",
      line: ['{"event":{"action":"ping","args":{}},"id":"alive","v":1}'],
      expect: { answer: { id: "alive", verdict: "ALLOW" } },
      afterwards: "open",
    });
  },
});
