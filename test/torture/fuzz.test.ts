import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { parseAnswer } from "../../wire/answer.ts";
import { type FeatureSet, featureSet, noFeatures } from "../../wire/features.ts";
import { FrameReader } from "../../wire/frame-reader.ts";
import { Verdict } from "../../wire/verdict.ts";
import { MemoryWatch, mebibyte, report } from "./kit/figures.ts";
import { nextBatch, seedFrames } from "./kit/frame-fuzzer.ts";
import { answerIn, call, hello, Peer } from "./kit/peer.ts";
import { Seeded, seedFrom } from "./kit/seed.ts";
import { Sidecar } from "./kit/sidecar.ts";

/** INTERLOCK_FUZZ_SEED replays a run; INTERLOCK_FUZZ_FRAMES makes it longer. */
const frames = Number(process.env.INTERLOCK_FUZZ_FRAMES ?? 1_000_000);
const framesInBatch = 400;
const connections = 8;
const answersWithin_ms = 20_000;

const agreed = ["call_id", "details", "escape", "replace_args", "resend"];

/** One connection: sends batches in pieces, and reads one well-formed answer that is no ALLOW for every line. */
class FuzzConnection {
  readonly #socket: Socket;
  readonly #features: FeatureSet;
  readonly #reader = new FrameReader("responses");
  readonly counts = { decisions: 0, errors: 0, others: 0 };
  #answered = 0;
  #wake: () => void = () => undefined;
  #failure: Error | null = null;

  private constructor(socket: Socket, features: FeatureSet) {
    this.#socket = socket;
    this.#features = features;
    socket.on("data", (chunk: Buffer) => {
      try {
        this.#reader.push(chunk);
        for (let line = this.#reader.next(); line !== null; line = this.#reader.next()) this.#take(line);
      } catch (error) {
        this.#failure ??= error as Error;
      }
      this.#wake();
    });
    socket.on("error", (error) => {
      this.#failure ??= error;
      this.#wake();
    });
    socket.on("close", () => {
      this.#failure ??= new Error("the daemon closed the connection");
      this.#wake();
    });
  }

  static async open(path: string, nonce: string | null): Promise<FuzzConnection> {
    const socket = connect(path);
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const connection = new FuzzConnection(socket, nonce === null ? noFeatures : featureSet(agreed));
    // A fuzzed hello may be a good one, and would count if it came first.
    const first = nonce === null ? call("first", "fuzz.first") : hello(nonce, agreed);
    await connection.put([Buffer.from(first)], 1);
    return connection;
  }

  /** Resolves when `lines` more answers have come. */
  async put(pieces: readonly Buffer[], lines: number): Promise<void> {
    const expected = this.#answered + lines;
    for (const piece of pieces) {
      this.#socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const timer = setTimeout(() => {
      this.#failure ??= new Error(`${this.#answered} of ${expected} answers within ${answersWithin_ms} ms`);
      this.#wake();
    }, answersWithin_ms);
    while (this.#answered < expected && this.#failure === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    if (this.#failure !== null) throw this.#failure;
    if (this.#answered > expected) throw new Error(`${this.#answered - expected} answers to nothing`);
  }

  drop(): void {
    this.#failure ??= new Error("dropped");
    this.#socket.destroy();
  }

  #take(line: Uint8Array): void {
    const answer = parseAnswer(line, this.#features);
    this.#answered++;
    if (answer.kind === "error") this.counts.errors++;
    else if (answer.kind !== "answer") this.counts.others++;
    else if (answer.decision.verdict === Verdict.BLOCK) this.counts.decisions++;
    else throw new Error(`a verdict that is no BLOCK: ${Buffer.from(line).toString("utf8")}`);
  }
}

const pieces = (from: Seeded, bytes: Buffer): readonly Buffer[] => {
  const cuts = Array.from({ length: from.below(4) }, () => from.below(bytes.length)).sort((a, b) => a - b);
  return [...cuts, bytes.length].map((cut, index) => bytes.subarray(cuts[index - 1] ?? 0, cut));
};

const fuzz = async (daemon: Sidecar, from: Seeded, share: number): Promise<FuzzConnection["counts"]> => {
  const seeds = seedFrames(from);
  const total = { decisions: 0, errors: 0, others: 0 };
  let sent = 0;
  while (sent < share) {
    // A nonce of its own now and then, one that others use too at other times, or none: version 1.
    const nonce = from.chance(0.7) ? `fuzz-session-${from.chance(0.5) ? from.word() : "shared"}-0123456789` : null;
    const connection = await FuzzConnection.open(daemon.socket, nonce);
    for (let batches = 1 + from.below(60); batches > 0 && sent < share; batches--) {
      const { bytes, lines } = nextBatch(from, seeds, framesInBatch);
      await connection.put(pieces(from, bytes), lines);
      sent += framesInBatch;
    }
    for (const kind of ["decisions", "errors", "others"] as const) total[kind] += connection.counts[kind];
    // Half of them end in the middle of a frame.
    if (from.chance(0.5)) void connection.put([from.pick(seeds).subarray(0, 40)], 1).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    connection.drop();
  }
  return total;
};

describe("a fuzzer at the socket", () => {
  it("gets an answer to every line and never an ALLOW; the daemon lives, in bounded memory, and still allows what is allowed", async () => {
    const seed = seedFrom("INTERLOCK_FUZZ_SEED");
    const daemon = await Sidecar.started();
    const pid = daemon.pid;
    const memory = new MemoryWatch(pid);
    const started_ms = performance.now();
    const counts = await Promise.all(
      Array.from({ length: connections }, (_, index) =>
        fuzz(daemon, new Seeded(seed + index), Math.ceil(frames / connections)),
      ),
    );
    const seconds = (performance.now() - started_ms) / 1000;
    const { most } = memory.end();
    const sum = (kind: "decisions" | "errors" | "others"): number => counts.reduce((all, one) => all + one[kind], 0);
    report(
      `${frames} frames in ${seconds.toFixed(1)} s, ${Math.round(frames / seconds)} a second: ${sum("decisions")} blocks, ` +
        `${sum("errors")} errors, ${sum("others")} others; at most ${Math.round(most / mebibyte)} MiB resident`,
    );
    expect(daemon.isAlive && daemon.pid).toBe(pid);
    expect(daemon.log).not.toContain("restarted");
    expect(most).toBeLessThan(400 * mebibyte);
    // Each kind of answer was met, so that the run has tested what it says.
    expect(Math.min(sum("decisions"), sum("errors"), sum("others"))).toBeGreaterThan(frames / 1000);

    const peer = await Peer.open(daemon.socket);
    peer.write(call("control", "torture.allowed") + call("control-2", "fuzz.read"));
    const [allowed, blocked] = (await peer.have(2)).map(answerIn);
    expect(allowed).toMatchObject({ id: "control", verdict: 0 });
    expect(blocked).toMatchObject({ id: "control-2", verdict: 1 });
    peer.drop();
    expect(daemon.verify()).toMatchObject({ whole: true });
    await daemon.kill();
  }, 180_000);
});
