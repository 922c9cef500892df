import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxUnfinishedBytes } from "../../daemon/socket/limits.ts";
import { until } from "../kit/processes.ts";
import { mebibyte, openFiles, report, residentBytes } from "./kit/figures.ts";
import { answerIn, call, closed, deafSocket, hello, Peer, written } from "./kit/peer.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** Peers that shut their writing side, vanish, or come and go. */
let daemon: Sidecar;
beforeAll(async () => {
  daemon = await Sidecar.started();
  // Its second thread opens its files a second after the start: what is counted below is peers' alone.
  const atStart = openFiles(daemon.pid);
  await until("the daemon has all files of its own", () => openFiles(daemon.pid) >= atStart + 3);
  await new Promise((resolve) => setTimeout(resolve, 300));
});
afterAll(() => daemon.kill());

const turns = async (count: number, atOnce: number, one: (turn: number) => Promise<void>): Promise<void> => {
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, (_, index) => one(done + index)));
  }
};

const isAllowedInTwoPieces = async (): Promise<void> => {
  const peer = await Peer.open(daemon.socket);
  const frame = call("split", "torture.allowed");
  peer.write(frame.slice(0, 20));
  await new Promise((resolve) => setTimeout(resolve, 20));
  peer.write(frame.slice(20));
  expect(answerIn((await peer.have(1))[0])).toMatchObject({ id: "split", verdict: 0 });
  peer.drop();
};

describe("a peer that shuts its writing side", () => {
  it("reads every answer of version 1, in order, the slow one too, and then the end", async () => {
    const peer = await Peer.open(daemon.socket);
    const asked = [
      call("1", "torture.slow", { wait_ms: 150 }),
      call("2", "torture.allowed"),
      "not json\n",
      call("4", "torture.unknown"),
      call("5", "torture.slow", { wait_ms: 50 }),
    ];
    peer.socket.end(asked.join(""));
    await peer.haveEnded();
    const answers = peer.lines.map(answerIn);
    expect(answers.map(({ id }) => id)).toEqual(["1", "2", "", "4", "5"]);
    expect(answers.map(({ verdict }) => verdict)).toEqual([0, 0, undefined, 1, 0]);
    expect(answers[2]?.error?.code).toBe("bad_request");
    expect(peer.rest).toBe("");
  });

  it("reads every answer of many questions that were put at once", async () => {
    const peer = await Peer.open(daemon.socket);
    const ids = Array.from({ length: 600 }, (_, index) => `q${index}`);
    const asked = ids.map((id, index) =>
      index % 3 === 0 ? call(id, "torture.slow", { wait_ms: index % 40 }) : call(id, "torture.allowed"),
    );
    peer.socket.end(hello("half-open-nonce-0001") + asked.join(""));
    await peer.haveEnded();
    const [welcome, ...answers] = peer.lines.map(answerIn);
    expect(welcome).toHaveProperty("hello");
    expect(answers.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(new Set(answers.map(({ verdict }) => verdict))).toEqual(new Set([0]));
  });

  it("is told that the frame it left unfinished is none, after the answers before it", async () => {
    const peer = await Peer.open(daemon.socket);
    peer.socket.end(call("1", "torture.slow", { wait_ms: 60 }) + call("2", "torture.allowed").slice(0, 30));
    await peer.haveEnded();
    const answers = peer.lines.map(answerIn);
    expect(answers).toHaveLength(2);
    expect(answers[0]).toMatchObject({ id: "1", verdict: 0 });
    expect(answers[1]).toMatchObject({ id: "", error: { code: "too_large" } });
  });

  it("with nothing asked, is given nothing but the end", async () => {
    const peer = await Peer.open(daemon.socket);
    peer.socket.end();
    await peer.haveEnded();
    expect(peer.lines).toEqual([]);
  });
});

describe("a peer that vanishes", () => {
  it("while its question is judged leaves nothing behind: no descriptor, no room for other peers' frames", async () => {
    const filesBefore = openFiles(daemon.pid);
    const behind = "x".repeat(64 * 1024);
    const cycles = Math.ceil((1.2 * maxUnfinishedBytes) / behind.length);
    await turns(cycles, 64, async (turn) => {
      const peer = await Peer.open(daemon.socket);
      peer.write(call(`gone-${turn}`, "torture.slow", { wait_ms: 25 }) + behind);
      await new Promise((resolve) => setTimeout(resolve, 10));
      peer.drop();
      await peer.haveClosed();
    });
    await until("every connection is closed", () => openFiles(daemon.pid) <= filesBefore + 2);
    await isAllowedInTwoPieces();
    expect(daemon.isAlive).toBe(true);
  });

  it("without having read its answers (a reset, not an end) leaves nothing behind either", async () => {
    const behind = "x".repeat(mebibyte);
    const cycles = Math.ceil((1.2 * maxUnfinishedBytes) / behind.length);
    await turns(cycles, 8, async (turn) => {
      const socket = await deafSocket(daemon.socket);
      const session = hello(`half-open-reset-${turn}`.padEnd(24, "-"));
      await written(socket, session + call("gone", "torture.slow", { wait_ms: 60 }));
      // The rest of a frame that never ends, read by the daemon while it judges.
      await written(socket, behind);
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.destroy();
      await closed(socket);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await isAllowedInTwoPieces();
  });

  it("in a session that pipelines, its questions are still recorded", async () => {
    const peer = await Peer.open(daemon.socket);
    const questions = Array.from({ length: 50 }, (_, index) =>
      call(`vanish-${index}`, "torture.slow", { wait_ms: 40 }),
    );
    peer.write(hello("half-open-nonce-0002") + questions.join(""));
    await peer.have(1);
    peer.drop();
    const recorded = (): number =>
      daemon.receipts().filter(({ request }) => String(request).startsWith("vanish-")).length;
    await until("50 receipts", () => recorded() === 50);
    expect(recorded()).toBe(50);
  });

  it("in the middle of a frame, or of the hello, costs nobody anything", async () => {
    const filesBefore = openFiles(daemon.pid);
    const frame = Buffer.from(hello("half-open-nonce-0003") + call("cut", "torture.allowed"));
    await turns(frame.length, 32, async (cut) => {
      const peer = await Peer.open(daemon.socket);
      peer.write(frame.subarray(0, cut));
      peer.socket.destroySoon();
      await peer.haveClosed();
    });
    await until("every connection is closed", () => openFiles(daemon.pid) <= filesBefore + 2);
    await isAllowedInTwoPieces();
  });
});

describe("10,000 connections, one after another", () => {
  it("leave no descriptor and no memory behind", async () => {
    const comeAndGo = (count: number): Promise<void> =>
      turns(count, 32, async (turn) => {
        const peer = await Peer.open(daemon.socket);
        if (turn % 4 === 0) {
          peer.write(call("q", "torture.allowed"));
          await peer.have(1);
        }
        peer.drop();
        await peer.haveClosed();
      });
    const filesBefore = openFiles(daemon.pid);
    await comeAndGo(2_000);
    const after2_000 = residentBytes(daemon.pid);
    await comeAndGo(8_000);
    await until("every connection is closed", () => openFiles(daemon.pid) <= filesBefore + 2);
    const growth = residentBytes(daemon.pid) - after2_000;
    report(`resident memory over the last 8,000 of 10,000 connections: ${(growth / mebibyte).toFixed(1)} MiB`);
    expect(growth).toBeLessThan(24 * mebibyte);
    await isAllowedInTwoPieces();
  }, 60_000);
});
