import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_LINE } from "../../wire/limits.ts";
import { MemoryWatch, mebibyte, report } from "./kit/figures.ts";
import { answerIn, call, hello, Peer } from "./kit/peer.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** The largest frame, one byte more, and a stream that is none. */
let daemon: Sidecar;
beforeAll(async () => {
  daemon = await Sidecar.started();
});
afterAll(() => daemon.kill());

/** A call of exactly so many bytes, its newline included. */
const frameOf = (bytes: number, id: string): Buffer => {
  const empty = call(id, "torture.allowed", { text: "" });
  return Buffer.from(call(id, "torture.allowed", { text: "z".repeat(bytes - Buffer.byteLength(empty)) }));
};

const isStillServed = async (): Promise<void> => {
  const peer = await Peer.open(daemon.socket);
  peer.write(call("still", "torture.allowed"));
  expect(answerIn((await peer.have(1))[0])).toMatchObject({ id: "still", verdict: 0 });
  peer.drop();
  expect(daemon.isAlive).toBe(true);
  expect(daemon.log).not.toContain("restarted");
};

describe("a frame", () => {
  it("of exactly 8 MiB is judged", async () => {
    const frame = frameOf(MAX_LINE, "largest");
    expect(frame.length).toBe(MAX_LINE);
    const peer = await Peer.open(daemon.socket);
    peer.write(frame);
    expect(answerIn((await peer.have(1))[0])).toMatchObject({ id: "largest", verdict: 0 });
    // And the connection goes on.
    peer.write(call("next", "torture.unknown"));
    expect(answerIn((await peer.have(2))[1])).toMatchObject({ id: "next", verdict: 1 });
    peer.drop();
  });

  it("of one byte more is refused, and the connection is closed after what was asked before is answered", async () => {
    const peer = await Peer.open(daemon.socket);
    peer.write(call("before", "torture.slow", { wait_ms: 100 }));
    peer.write(frameOf(MAX_LINE + 1, "too-large"));
    peer.write(call("after", "torture.allowed"));
    await peer.haveEnded();
    const [before, refused, ...more] = peer.lines.map(answerIn);
    expect(before).toMatchObject({ id: "before", verdict: 0 });
    expect(refused).toMatchObject({ id: "", error: { code: "too_large" } });
    expect(more).toEqual([]);
    peer.drop();
    await isStillServed();
  });

  it("of 8 MiB, from 50 peers at once, is answered to each, by a verdict or by a refusal, in bounded memory", async () => {
    const memory = new MemoryWatch(daemon.pid);
    const started_ms = performance.now();
    const peers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const peer = await Peer.open(daemon.socket);
        if (index % 2 === 0) {
          peer.write(hello(`frames-at-once-${index}`.padEnd(24, "-")));
          await peer.have(1);
          peer.lines.length = 0;
        }
        return peer;
      }),
    );
    for (const [index, peer] of peers.entries()) peer.write(frameOf(MAX_LINE, `big-${index}`));
    const answers = await Promise.all(
      peers.map(async (peer, index) => {
        const answer = answerIn((await peer.have(1, 60_000))[0]);
        if (answer.error === undefined) expect(answer).toMatchObject({ id: `big-${index}`, verdict: 0 });
        else expect(answer).toMatchObject({ id: "", error: { code: "too_large" } });
        return answer;
      }),
    );
    const { most } = memory.end();
    const judged = answers.filter(({ verdict }) => verdict === 0).length;
    report(
      `50 frames of 8 MiB at once: ${judged} judged in ${((performance.now() - started_ms) / 1000).toFixed(1)} s, ` +
        `at most ${Math.round(most / mebibyte)} MiB resident`,
    );
    expect(judged).toBeGreaterThan(0);
    // 128 MiB of unfinished frames, and what the collector has not yet taken of those that were judged: 530 to 720 were seen.
    expect(most).toBeLessThan(1000 * mebibyte);
    for (const peer of peers) peer.drop();
    await isStillServed();
  }, 90_000);
});

/** Writes until so many bytes are gone or the daemon has closed; the bytes that went. */
const pour = (socket: Socket, bytes: number): Promise<number> =>
  new Promise((resolve) => {
    const chunk = Buffer.alloc(mebibyte, 0x61);
    let gone = 0;
    const next = (): void => {
      if (gone >= bytes) resolve(gone);
      else
        socket.write(chunk, (error) => {
          if (error) return;
          gone += chunk.length;
          next();
        });
    };
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(gone));
    next();
  });

describe("a stream of 1 GiB without a newline", () => {
  it.each([1, 50])(
    "is refused as soon as it is longer than a frame, in bounded memory: %i at once",
    async (count) => {
      await isStillServed();
      const memory = new MemoryWatch(daemon.pid);
      const heard: string[] = Array.from({ length: count }, () => "");
      const gone = await Promise.all(
        heard.map((_, index) => {
          const socket = connect(daemon.socket);
          socket.setEncoding("utf8").on("data", (text: string) => {
            heard[index] += text;
          });
          return pour(socket, 1024 * mebibyte);
        }),
      );
      const { growth } = memory.end();
      report(
        `${count} endless streams: cut after ${Math.round(Math.max(...gone) / mebibyte)} MiB at most, memory grew by ${Math.round(growth / mebibyte)} MiB`,
      );
      for (const bytes of gone) expect(bytes).toBeLessThan(MAX_LINE + 4 * mebibyte);
      for (const text of heard) {
        if (text !== "") expect(answerIn(text.trim())).toMatchObject({ id: "", error: { code: "too_large" } });
      }
      expect(growth).toBeLessThan((count === 1 ? 64 : 192) * mebibyte);
      await isStillServed();
    },
    60_000,
  );
});
