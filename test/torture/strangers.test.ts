import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../kit/processes.ts";
import { MemoryWatch, mebibyte, median, report } from "./kit/figures.ts";
import { answerIn, call, deafSocket, hello, Peer } from "./kit/peer.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** Other peers, idle, slow or deaf, and what they cost one that only wants its verdicts. */
let daemon: Sidecar;
beforeAll(async () => {
  daemon = await Sidecar.started();
});
afterAll(() => daemon.kill());

const sessionOf = (name: string): string => hello(`strangers-${name}`.padEnd(24, "-"));

/** Asks one after another; microseconds each. */
const latencies_us = async (peer: Peer, count: number): Promise<number[]> => {
  const taken: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const frame = call(`l${asked}`, "torture.allowed", { path: "/tmp/x" });
    const from_ms = performance.now();
    peer.write(frame);
    await peer.have(1);
    taken.push((performance.now() - from_ms) * 1000);
    expect(answerIn(peer.lines.pop()).verdict).toBe(0);
  }
  return taken;
};

/** The part of a frame that never ends, a few bytes at a time. */
class Drip {
  readonly #peers: Peer[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(peers: readonly Peer[], every_ms: number) {
    this.#peers.push(...peers);
    for (const peer of peers) peer.write('{"event":{"action":"torture.allowed","args":{"text":"');
    this.#timer = setInterval(() => {
      for (const peer of this.#peers) peer.write("drip ");
    }, every_ms);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const peer of this.#peers) peer.drop();
  }
}

const openMany = (count: number): Promise<Peer[]> =>
  Promise.all(Array.from({ length: count }, () => Peer.open(daemon.socket)));

describe("1,000 idle peers and 100 that drip a frame that never ends", () => {
  it("leave another's latency within twice what it is without them", async () => {
    const peer = await Peer.open(daemon.socket);
    peer.write(sessionOf("measured"));
    await peer.have(1);
    peer.lines.length = 0;
    await latencies_us(peer, 2_000);
    const alone: number[] = [];
    const among: number[] = [];
    for (let block = 0; block < 5; block++) {
      alone.push(median(await latencies_us(peer, 400)));
      const idle = await openMany(1_000);
      const drip = new Drip(await openMany(100), 100);
      await new Promise((resolve) => setTimeout(resolve, 150));
      among.push(median(await latencies_us(peer, 400)));
      drip.end();
      for (const other of idle) other.drop();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const ratios = among.map((value, block) => value / (alone[block] as number));
    report(
      `latency p50 alone ${median(alone).toFixed(0)} us, among 1,100 strangers ${median(among).toFixed(0)} us, ` +
        `ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
    expect(median(ratios)).toBeLessThan(2);
    peer.drop();
  }, 60_000);
});

/** Writes frames until the daemon takes no more of them, or has cut the peer off. */
const flood = async (socket: Socket, frame: string, frames: number): Promise<void> => {
  const atOnce = Math.min(64, frames);
  const batch = frame.repeat(atOnce);
  for (let written = 0; written < frames && !socket.destroyed; written += atOnce) {
    if (socket.write(batch)) continue;
    const hasRoom = await Promise.race([
      new Promise<boolean>((resolve) => socket.once("drain", () => resolve(true))),
      new Promise<boolean>((resolve) => socket.once("close", () => resolve(false))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300)),
    ]);
    if (!hasRoom) return;
  }
};

describe("100 peers that never read their answers", () => {
  it.each([
    ["short ones of version 1", "", call("deaf", "torture.allowed")],
    ["short ones, many at once", "deaf", call("deaf", "torture.unknown")],
    ["rewrites of 256 KiB", "deaf-large", call("deaf", "torture.rewritten", { text: "x".repeat(256 * 1024) })],
  ])(
    "cost a bounded amount of memory, and others nothing: %s",
    async (_, session, frame) => {
      const memory = new MemoryWatch(daemon.pid);
      const deaf = await Promise.all(Array.from({ length: 100 }, () => deafSocket(daemon.socket)));
      // Several times what the kernel holds for a peer, and what the daemon does.
      const frames = Math.min(6_400, Math.ceil((4 * mebibyte) / frame.length));
      const flooding = deaf.map((socket, index) => {
        if (session !== "") socket.write(sessionOf(`${session}-${index}`));
        return flood(socket, frame, frames);
      });
      const peer = await Peer.open(daemon.socket);
      peer.write(sessionOf(`among-${session}`));
      await peer.have(1);
      peer.lines.length = 0;
      await latencies_us(peer, 50);
      await Promise.all(flooding);
      await latencies_us(peer, 200);
      const { most } = memory.end();
      report(
        `100 deaf peers (${session || "version 1"}): ${Math.round(memory.before / mebibyte)} MiB before, at most ${Math.round(most / mebibyte)} MiB`,
      );
      expect(most).toBeLessThan(400 * mebibyte);
      expect(daemon.isAlive).toBe(true);
      expect(daemon.log).not.toContain("restarted");
      peer.drop();
      for (const socket of deaf) socket.destroy();
    },
    60_000,
  );
});

describe("peers that hold all the room for unfinished frames", () => {
  it("give way, largest first, to one whose small frame comes in two pieces", async () => {
    const memory = new MemoryWatch(daemon.pid);
    const most = "y".repeat(7 * mebibyte);
    const hogs = await openMany(20);
    for (const hog of hogs) hog.write(most);
    await until("a hog is refused", () => hogs.some(({ lines }) => lines.length > 0));
    const peer = await Peer.open(daemon.socket);
    for (let turn = 0; turn < 50; turn++) {
      const frame = call(`two-${turn}`, "torture.allowed");
      peer.write(frame.slice(0, 30));
      await new Promise((resolve) => setTimeout(resolve, 2));
      peer.write(frame.slice(30));
      expect(answerIn((await peer.have(turn + 1))[turn])).toMatchObject({ id: `two-${turn}`, verdict: 0 });
    }
    const refused = hogs.filter(({ lines }) => lines.length > 0);
    for (const { lines } of refused) {
      expect(lines.map(answerIn)).toMatchObject([{ id: "", error: { code: "too_large" } }]);
    }
    const { growth } = memory.end();
    report(`${refused.length} of 20 hogs refused; memory grew by ${Math.round(growth / mebibyte)} MiB`);
    for (const hog of hogs) hog.drop();
    peer.drop();
    expect(daemon.isAlive).toBe(true);
  }, 30_000);
});
