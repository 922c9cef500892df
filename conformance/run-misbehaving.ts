import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Misbehaviour } from "./misbehaving/conduct.ts";
import { clientTimeout_ms, misbehaveAll, misbehaviours } from "./misbehaving-daemon.ts";

/** A client under test: makes one call through the daemon at `socket`. `place` is 1 or 2. */
export interface ClientUnderTest {
  /** Resolves when the call may run; rejects with the client's blocked error when it may not. */
  call(place: 1 | 2): Promise<unknown>;
  /** Is this the error that means "blocked", and not a crash? */
  isBlocked(error: unknown): boolean;
  close(): Promise<void>;
}

export interface MisbehaviourOutcome {
  readonly name: string;
  /** One line; null where the client did what it must. */
  readonly problem: string | null;
  readonly elapsed_ms: number;
}

/** A verdict that comes later than this after the client's own timeout did not come in time. */
const slack_ms = 2_000;
/** Controls are allowed more time: a slow machine is no fault of the client's. */
const controlTimeout_ms = 10 * clientTimeout_ms;
/** How many run at once. Most of their time is spent waiting for timeouts. */
const atOnce = 32;

/** Drives a client through every misbehaviour. The outcomes are in the catalogue's order. */
export const runMisbehaviours = async (
  connect: (socket: string, timeout_ms: number) => ClientUnderTest,
): Promise<readonly MisbehaviourOutcome[]> => {
  const base = tmpdir().length <= 40 ? tmpdir() : "/tmp";
  const directory = await mkdtemp(join(base, "il-"));
  const daemons = await misbehaveAll(directory);
  try {
    const outcomes: MisbehaviourOutcome[] = [];
    for (let first = 0; first < misbehaviours.length; first += atOnce) {
      const group = misbehaviours.slice(first, first + atOnce);
      const run = group.map((one, place) => tried(one, connect, daemons[first + place]?.socket ?? ""));
      outcomes.push(...(await Promise.all(run)));
    }
    return outcomes;
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.close()));
    await rm(directory, { recursive: true, force: true });
  }
};

const tried = async (
  one: Misbehaviour,
  connect: (socket: string, timeout_ms: number) => ClientUnderTest,
  socket: string,
): Promise<MisbehaviourOutcome> => {
  const timeout_ms = one.expect === "allow" ? controlTimeout_ms : clientTimeout_ms;
  const client = connect(socket, timeout_ms);
  const started = performance.now();
  try {
    const problem = await problemOf(one, client, timeout_ms + slack_ms);
    return { name: one.name, problem, elapsed_ms: Math.round(performance.now() - started) };
  } finally {
    await client.close();
  }
};

const problemOf = async (one: Misbehaviour, client: ClientUnderTest, limit_ms: number): Promise<string | null> => {
  const first = outcomeOf(client, 1, limit_ms);
  if (one.questions === 1) return judge(one, [await first]);
  if (!one.together) {
    await first;
    // What was sent unasked has arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const second = outcomeOf(client, 2, limit_ms);
  return judge(one, one.judged === "last" ? [await second] : [await first, await second]);
};

interface Outcome {
  readonly what: "allow" | "block" | "failure";
  readonly detail: string;
}

const outcomeOf = async (client: ClientUnderTest, place: 1 | 2, limit_ms: number): Promise<Outcome> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const detail = `no verdict within ${limit_ms} ms`;
    timer = setTimeout(() => resolve({ what: "failure", detail }), limit_ms);
  });
  const asked = client.call(place).then(
    (): Outcome => ({ what: "allow", detail: "" }),
    (error: unknown): Outcome => ({ what: client.isBlocked(error) ? "block" : "failure", detail: String(error) }),
  );
  const outcome = await Promise.race([asked, late]);
  clearTimeout(timer);
  return outcome;
};

const judge = ({ expect }: Misbehaviour, outcomes: readonly Outcome[]): string | null => {
  const fits = ({ what }: Outcome): boolean => (expect === "either" ? what !== "failure" : what === expect);
  const place = outcomes.findIndex((outcome) => !fits(outcome));
  const wrong = outcomes[place];
  return wrong === undefined ? null : `expected ${expect}, got ${wrong.what}${wrong.detail && `: ${wrong.detail}`}`;
};
