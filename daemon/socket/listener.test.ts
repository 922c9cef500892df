import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noContracts, noPolicies } from "../contracts/none.ts";
import { localCoordination } from "../coordination/local.ts";
import { indexRules } from "../engine/rule-index.ts";
import { transactionKeys } from "../engine/transaction-state.ts";
import { claimedOnly } from "../identity/testing.ts";
import type { Entry, Ledger } from "../ledger/record.ts";
import { neverStopped } from "../stops/stops.testkit.ts";
import { Resumptions } from "../supervisor/resumptions.ts";
import { EngineSlot, newSlotMemory } from "../supervisor/slot.ts";
import { noSurfaces } from "../surfaces/surfaces.testkit.ts";
import { keyedHash } from "../transactions/keyed-hash.ts";
import { CommitGroup } from "./commit-group.ts";
import { FrontDesk } from "./front-desk.ts";
import { listen } from "./listener.ts";
import { OpenCalls } from "./open-calls.ts";
import { type Bench, QuestionDesk } from "./question-desk.ts";

let directory: string;
const sockets: Socket[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-listen-"));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  rmSync(directory, { recursive: true, force: true });
});

/** A desk with no rules, which blocks everything, and a ledger that keeps nothing. */
const newDesk = (): FrontDesk => {
  const ledger = {
    commit: (entries: readonly Entry[]) =>
      entries.map((entry, seq) => {
        const settled = null;
        entry.record(settled);
        return { outcome: "durable" as const, seq, settled };
      }),
    remembersSession: () => false,
    decidedCall: () => null,
    findDecision: () => null,
  } as Partial<Ledger> as Ledger;
  const bench: Bench = {
    state: {
      index: indexRules(
        { digest: "sha256:none", version: 1, sets: [], contracts: noContracts, policies: noPolicies },
        0,
      ),
      unknown: "block",
      scopes: null,
      suspended: new Set(),
      watch: new EngineSlot(newSlotMemory()),
      timer: { after: () => () => undefined },
      resumptions: new Resumptions(),
      transactions: {
        keys: transactionKeys((purpose) => keyedHash(new Uint8Array(32), purpose)),
        newTransactionId: () => "tx_test",
        look: () => null,
      },
    },
    coordination: localCoordination,
    approved: { find: () => null },
    openCalls: new OpenCalls([]),
    capture: null,
    disabled: false,
    overran: new Set(),
    identities: claimedOnly,
    stops: neverStopped,
    ledger,
    slot: new EngineSlot(newSlotMemory()),
    now_ms: Date.now,
    surfaces: noSurfaces(),
  };
  const group = new CommitGroup(ledger);
  const health = { started_ms: 0, receipts: () => 0, reload: { count: 0, ok: true, message: "" } };
  return new FrontDesk(bench, new QuestionDesk(bench, group), group, health);
};

const event = (action: string): string =>
  `${JSON.stringify({ event: { action, args: {}, phase: "call" }, id: action, v: 1 })}\n`;

const connect = async (path: string): Promise<{ socket: Socket; closed: Promise<string> }> => {
  const socket = createConnection(path);
  sockets.push(socket);
  let heard = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    heard += text;
  });
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(heard)));
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return { socket, closed };
};

test("the socket is for its owner alone, and is gone after the drain", async () => {
  const path = join(directory, "s");
  const listener = await listen(path, newDesk());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await listener.drain(1_000);
  expect(existsSync(path)).toBe(false);
});

test("what was asked before the drain is answered, and whoever asks later is not", async () => {
  const path = join(directory, "s");
  const listener = await listen(path, newDesk());
  const early = await connect(path);
  early.socket.write(event("early"));
  await new Promise((resolve) => early.socket.once("data", resolve));
  early.socket.write(event("second"));
  const drained = listener.drain(1_000);
  const answers = (await early.closed).trim().split("\n");
  expect(answers.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(["early", "second"]);
  await drained;
  await expect(connect(path)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a peer that never reads its answer does not hold the drain beyond its time", async () => {
  const path = join(directory, "s");
  const listener = await listen(path, newDesk());
  const { socket } = await connect(path);
  socket.pause();
  for (let n = 0; n < 20_000; n++) socket.write(event("q"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before_ms = performance.now();
  await listener.drain(300);
  expect(performance.now() - before_ms).toBeLessThan(3_000);
  expect(existsSync(path)).toBe(false);
});

test("a path that is taken is refused with the exit code of a served socket, and left alone", async () => {
  const path = join(directory, "s");
  writeFileSync(path, "");
  await expect(listen(path, newDesk())).rejects.toMatchObject({ name: "Refusal", exitCode: 3 });
  await expect(listen(join(directory, "none", "s"), newDesk())).rejects.toMatchObject({ exitCode: 4 });
  expect(existsSync(path)).toBe(true);
});
