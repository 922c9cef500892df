import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answers } from "../../conformance/running-daemon.ts";
import { lookAtPlaceEvery_ms } from "../../daemon/store/sqlite/in-place.ts";
import { until } from "../kit/processes.ts";
import { fill, limitFiles, smallDisk, takeAway } from "./kit/disks.ts";
import { report } from "./kit/figures.ts";
import { type Answer, answerIn, call, hello, Peer } from "./kit/peer.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** Whatever becomes of the disk under a daemon that serves: no receipt, no ALLOW; and it goes on when the disk does. */

class Asker {
  readonly peer: Peer;
  #count = 0;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  static async open(daemon: Sidecar): Promise<Asker> {
    const peer = await Peer.open(daemon.socket);
    peer.write(hello(`disk-${randomBytes(16).toString("hex")}`));
    await peer.have(1);
    peer.lines.length = 0;
    return new Asker(peer);
  }

  /** Asks one after another what an allow rule allows. */
  async ask(count: number, args: object = {}): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (let asked = 0; asked < count; asked++) {
      this.#count++;
      this.peer.write(call(`d${this.#count}`, "torture.allowed", args));
      await this.peer.have(1);
      answers.push(answerIn(this.peer.lines.pop()));
    }
    return answers;
  }

  /** Asks many at once, so that they share a group. */
  async askAtOnce(count: number): Promise<readonly Answer[]> {
    const ids = Array.from({ length: count }, () => `d${++this.#count}`);
    this.peer.write(ids.map((id) => call(id, "torture.allowed")).join(""));
    await this.peer.have(count);
    return this.peer.lines.splice(0).map(answerIn);
  }
}

const expectAllowed = (answers: readonly Answer[]): void => {
  expect(new Set(answers.map(({ verdict }) => verdict))).toEqual(new Set([0]));
};

const expectNoLedger = (answers: readonly Answer[]): void => {
  expect(new Set(answers.map(({ verdict, details }) => `${verdict} ${details?.code}`))).toEqual(
    new Set(["1 ledger_unavailable"]),
  );
};

/** Every ALLOW that left has its receipt, and the chain is whole. */
const expectReceipts = (daemon: Sidecar, answers: readonly Answer[]): void => {
  expect(daemon.verify()).toMatchObject({ whole: true });
  const allowed = new Set(
    daemon
      .receipts()
      .filter(({ verdict }) => verdict === "ALLOW")
      .map(({ request }) => request),
  );
  const without = answers.filter(({ id, verdict }) => verdict === 0 && !allowed.has(id));
  expect(without).toEqual([]);
};

interface Disk {
  readonly name: string;
  readonly state: string | undefined;
  /** Nothing more fits; the returned function makes room. */
  fill(daemon: Sidecar): () => void;
}

const tmpfs = smallDisk("1m");
const disks: readonly Disk[] = [
  {
    name: "no file of the daemon may grow",
    state: undefined,
    fill: ({ pid }) => {
      limitFiles(pid, 64 * 1024);
      return () => limitFiles(pid, null);
    },
  },
  ...(tmpfs === null
    ? []
    : [{ name: "a file system of 1 MiB is full", state: join(tmpfs, "state"), fill: () => fill(tmpfs) }]),
];

describe("a full disk", () => {
  it.each(disks)("blocks every call, and allows again when there is room: $name", async ({ state, fill }) => {
    const daemon = await Sidecar.started(state === undefined ? {} : { state });
    const asker = await Asker.open(daemon);
    const all: Answer[] = [];
    const keep = (answers: readonly Answer[]): readonly Answer[] => {
      all.push(...answers);
      return answers;
    };
    for (const round of [1, 2]) {
      expectAllowed(keep(await asker.ask(20)));
      const free = fill(daemon);
      // What is left of the log's last page still takes a few; then nothing does.
      let isFull = false;
      for (let tries = 0; tries < 40 && !isFull; tries++) {
        const answers = keep(await asker.askAtOnce(50));
        isFull = answers.every(({ verdict }) => verdict === 1);
      }
      expect(isFull).toBe(true);
      expectNoLedger(keep(await asker.ask(100)));
      expectNoLedger(keep(await asker.askAtOnce(200)));
      // Whoever moves the log, or signs, finds the disk full too.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const later = keep(await asker.ask(100));
      for (const { verdict, details } of later) {
        expect(verdict === 0 || details?.code === "ledger_unavailable").toBe(true);
      }
      expect(daemon.isAlive).toBe(true);
      free();
      expectAllowed(keep(await asker.ask(20)));
      expectAllowed(keep(await asker.askAtOnce(100)));
      report(
        `full disk, round ${round}: ${all.filter(({ verdict }) => verdict === 0).length} of ${all.length} allowed`,
      );
    }
    expectReceipts(daemon, all);
    expect(await daemon.stop()).toBe(0);
    expectReceipts(daemon, all);
  });

  it("that is full when the engine hangs still costs nothing but blocks", async () => {
    const daemon = await Sidecar.started();
    const asker = await Asker.open(daemon);
    expectAllowed(await asker.ask(5));
    limitFiles(daemon.pid, 4096);
    const hung = await Peer.open(daemon.socket);
    hung.write(call("hang", "torture.hangs", { armed: true }));
    await hung.haveEnded();
    hung.drop();
    expect(hung.lines).toEqual([]);
    // An engine that cannot have its ledger is not there; one that can blocks. Either way nothing is allowed.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const answersNow = await answers(daemon.socket);
    if (answersNow) expectNoLedger(await (await Asker.open(daemon)).ask(10));
    else expect(existsSync(`${daemon.socket}.restarting`)).toBe(true);
    expect(daemon.isAlive).toBe(true);
    limitFiles(daemon.pid, null);
    await until("the engine is back", () => answers(daemon.socket));
    expectAllowed(await (await Asker.open(daemon)).ask(10));
    expect(existsSync(`${daemon.socket}.restarting`)).toBe(false);
    expect(daemon.verify()).toMatchObject({ whole: true });
    await daemon.kill();
  });
});

const noticed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2 * lookAtPlaceEvery_ms));

describe("a ledger that goes away under the daemon", () => {
  const serving = async (state?: string): Promise<{ daemon: Sidecar; asker: Asker; ledger: string }> => {
    const daemon = await Sidecar.started(state === undefined ? {} : { state });
    const asker = await Asker.open(daemon);
    expectAllowed(await asker.ask(5));
    return { daemon, asker, ledger: join(daemon.state, "ledger.db") };
  };

  const expectBlocksAndStays = async (daemon: Sidecar, asker: Asker): Promise<void> => {
    await noticed();
    expectNoLedger(await asker.ask(20));
    expectNoLedger(await asker.askAtOnce(100));
    expect(daemon.isAlive).toBe(true);
  };

  it("with its whole directory blocks every call", async () => {
    const { daemon, asker } = await serving();
    rmSync(daemon.state, { recursive: true });
    await expectBlocksAndStays(daemon, asker);
    await daemon.kill();
  });

  it("with its directory is not begun anew by the engine that is started after one that hung", async () => {
    const { daemon, asker } = await serving();
    rmSync(daemon.state, { recursive: true });
    await expectBlocksAndStays(daemon, asker);
    asker.peer.write(call("hang", "torture.hangs", { armed: true }));
    await until("the daemon ends", () => !daemon.isAlive);
    expect(daemon.log).toContain("ledger.db is missing");
    expect(existsSync(join(daemon.state, "ledger.db"))).toBe(false);
  });

  it("removed alone blocks every call", async () => {
    const { daemon, asker, ledger } = await serving();
    unlinkSync(ledger);
    await expectBlocksAndStays(daemon, asker);
    await daemon.kill();
  });

  it.each(["ledger.db-wal", "receipts.journal"])("whose %s is removed blocks every call", async (name) => {
    const { daemon, asker } = await serving();
    unlinkSync(join(daemon.state, name));
    await expectBlocksAndStays(daemon, asker);
    await daemon.kill();
  });

  it("replaced by a copy of itself blocks every call, and is taken again when it is put back", async () => {
    const { daemon, asker, ledger } = await serving();
    renameSync(ledger, `${ledger}.aside`);
    copyFileSync(`${ledger}.aside`, ledger);
    await expectBlocksAndStays(daemon, asker);
    renameSync(`${ledger}.aside`, ledger);
    const answers = await asker.ask(20);
    expectAllowed(answers);
    expectReceipts(daemon, answers);
    await daemon.kill();
  });

  it("moved with its directory blocks every call, and is taken again when it is back", async () => {
    const { daemon, asker } = await serving();
    renameSync(daemon.state, `${daemon.state}.aside`);
    await expectBlocksAndStays(daemon, asker);
    renameSync(`${daemon.state}.aside`, daemon.state);
    const answers = await asker.ask(20);
    expectAllowed(answers);
    expectReceipts(daemon, answers);
    await daemon.kill();
  });

  const removable = smallDisk("8m");
  it.each(removable === null ? [] : [removable])("with the disk it lay on blocks every call", async (disk) => {
    const { daemon, asker } = await serving(join(disk, "state"));
    takeAway(disk);
    await expectBlocksAndStays(daemon, asker);
    await daemon.kill();
  });
});
