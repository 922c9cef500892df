import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { BlockedError, guardToolMap, RemoteEngine } from "../../client-node/index.ts";
import { lookAtPlaceEvery_ms } from "../../daemon/store/sqlite/in-place.ts";
import { type Daemon, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { refundModule } from "../kit/refunds.ts";
import { fill, limitFiles, smallDisk } from "./kit/disks.ts";

/** Whatever becomes of the store: no write tool runs without its record, and it goes on when the store does. */

const running: Daemon[] = [];
const engines: RemoteEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const daemon of running.splice(0)) if (daemon.isAlive()) await daemon.kill();
});

interface Serving {
  readonly place: Place;
  readonly daemon: Daemon;
  readonly state: string;
}

const serving = async (disk: string | null): Promise<Serving> => {
  const place = await makePlace(refundModule({ more: "lease_s: 1," }), "unknown: block\n");
  const state = disk === null ? place.state : join(disk, "state");
  const daemon = await startDaemon(place, ["--state", state]);
  running.push(daemon);
  return { place, daemon, state };
};

/** An agent whose refunds are counted; no two are of the same amount unless they say so. */
const agentOf = ({ place }: Serving, during: () => Promise<void> = async () => undefined) => {
  const engine = new RemoteEngine(place.socket, { timeout: 20, principal: "agent" });
  engines.push(engine);
  const ran: number[] = [];
  const { refund } = guardToolMap(
    {
      refund: async ({ amount }: { amount: number }) => {
        ran.push(amount);
        await during();
        return { paid: amount };
      },
    },
    { engine },
  );
  const order = { order_id: "o2", customer_id: "c2", note: "n", request_id: "r" };
  /** Null where it ran and was recorded; else the code of its block. */
  const pay = async (amount: number): Promise<string | null> => {
    try {
      await refund({ ...order, amount } as { amount: number });
      return null;
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      return error.decision.details?.code ?? "none";
    }
  };
  return { ran, pay };
};

const noticed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2 * lookAtPlaceEvery_ms));

interface Loss {
  readonly name: string;
  readonly disk: string | null;
  /** Takes the store away; the returned function gives it back. */
  take(serving: Serving): () => void;
}

const mounted = smallDisk("2m");
const losses: readonly Loss[] = [
  {
    name: "is moved away",
    disk: null,
    take: ({ state }) => {
      renameSync(state, `${state}.aside`);
      return () => renameSync(`${state}.aside`, state);
    },
  },
  {
    name: "may not grow",
    disk: null,
    take: ({ daemon }) => {
      limitFiles(daemon.pid, 4096);
      return () => limitFiles(daemon.pid, null);
    },
  },
  ...(mounted === null ? [] : [{ name: "lies on a disk that is full", disk: mounted, take: () => fill(mounted) }]),
];

/** What is left of a page still takes a few; then nothing does. */
const maxLast = 400;

describe.each(losses)("a store that $name", ({ disk, take }) => {
  test("lets no write tool run, and lets them run again when it is back", async () => {
    const served = await serving(disk);
    const { ran, pay } = agentOf(served);
    let amount = 1;
    expect(await pay(amount)).toBeNull();
    const giveBack = take(served);
    await noticed();
    for (let last = 0; last < maxLast; last++) if ((await pay(++amount)) === "ledger_unavailable") break;
    const before = ran.length;
    for (let asked = 0; asked < 10; asked++) expect(await pay(++amount)).toBe("ledger_unavailable");
    expect(ran).toHaveLength(before);
    expect(served.daemon.isAlive()).toBe(true);
    giveBack();
    await noticed();
    expect(await pay(++amount)).toBeNull();
    expect(ran).toHaveLength(before + 1);
    expect(new Set(ran).size).toBe(ran.length);
  }, 60_000);
});

test("a store that goes away while a call is under way: its result is withheld, and its repeat does not run", async () => {
  const served = await serving(null);
  const { state } = served;
  let isAway = false;
  const { ran, pay } = agentOf(served, async () => {
    if (!isAway) return;
    renameSync(state, `${state}.aside`);
    // The daemon looks where its files are at most so often.
    await noticed();
  });
  expect(await pay(1)).toBeNull();
  isAway = true;
  expect(await pay(2)).toBe("ledger_unavailable");
  isAway = false;
  renameSync(`${state}.aside`, state);
  await noticed();
  expect(await pay(2)).toMatch(/^(in_flight|outcome_unknown)$/);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await pay(2)).toBe("outcome_unknown");
  expect(ran).toEqual([1, 2]);
  const receipts = await receiptsOf(served.place);
  expect(receipts.filter(({ event }) => event === "transaction_unknown")).toHaveLength(1);
}, 60_000);
