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

/** Drives a client through every misbehaviour, all at once: most of the time is spent waiting for timeouts. */
export const runMisbehaviours = async (
  connect: (socket: string, timeout_ms: number) => ClientUnderTest,
): Promise<readonly MisbehaviourOutcome[]> => {
  const base = tmpdir().length <= 40 ? tmpdir() : "/tmp";
  const directory = await mkdtemp(join(base, "il-"));
  const daemons = await misbehaveAll(directory);
  try {
    return await Promise.all(
      misbehaviours.map(async (one, place) => {
        const client = connect(daemons[place]?.socket ?? "", clientTimeout_ms);
        const started = Date.now();
        try {
          const problem = await problemOf(one, client);
          return { name: one.name, problem, elapsed_ms: Date.now() - started };
        } finally {
          await client.close();
        }
      }),
    );
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.close()));
    await rm(directory, { recursive: true, force: true });
  }
};

const problemOf = async (one: Misbehaviour, client: ClientUnderTest): Promise<string | null> => {
  const first = outcomeOf(client, 1);
  if (one.questions === 1) return judge(one, [await first]);
  if (!one.together) {
    await first;
    // What was sent unasked has arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const second = outcomeOf(client, 2);
  return judge(one, one.judged === "last" ? [await second] : [await first, await second]);
};

type Outcome = "allow" | "block" | `failed: ${string}`;

const outcomeOf = async (client: ClientUnderTest, place: 1 | 2): Promise<Outcome> => {
  let timer: NodeJS.Timeout | undefined;
  const limit_ms = clientTimeout_ms + slack_ms;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(`failed: no verdict within ${limit_ms} ms`), limit_ms);
  });
  const asked = client.call(place).then(
    (): Outcome => "allow",
    (error: unknown): Outcome => (client.isBlocked(error) ? "block" : `failed: ${String(error)}`),
  );
  const outcome = await Promise.race([asked, late]);
  clearTimeout(timer);
  return outcome;
};

const judge = ({ expect }: Misbehaviour, outcomes: readonly Outcome[]): string | null => {
  const wrong = outcomes.findIndex(
    (outcome) => outcome !== expect && !(expect === "either" && (outcome === "allow" || outcome === "block")),
  );
  return wrong === -1 ? null : `call ${wrong + 1}: expected ${expect}, got ${outcomes[wrong]}`;
};
