import { randomBytes } from "node:crypto";
import { createConnection } from "node:net";
import { type Answer, parseAnswer } from "../../wire/answer.ts";
import { type FeatureSet, featureSet, noFeatures } from "../../wire/features.ts";
import { FrameReader } from "../../wire/frame-reader.ts";
import { helloFrame } from "../../wire/request-frame.ts";
import { daemonVersion } from "../version.ts";

/** Nobody answered in time, or not in the protocol's words. One line. */
export class NoDaemon extends Error {
  override readonly name = "NoDaemon";
}

const timeout_ms = 5_000;

/** What the commands agree to: they read `details`, and put one question at a time. */
const features: FeatureSet = featureSet(["call_id", "details", "escape"]);

export interface Conversation {
  readonly hello: Extract<Answer, { kind: "hello" }>["hello"];
  /** The answer to one request; `id` is the request's. */
  ask(id: string, frame: string, features?: FeatureSet): Promise<Answer>;
  readonly features: FeatureSet;
}

/** Speaks to a daemon over its socket, as any client does, and shows a token where it has one. Throws `NoDaemon`. */
export const withDaemon = async <T>(
  path: string,
  converse: (with_: Conversation) => Promise<T>,
  token: string | null = null,
): Promise<T> => {
  const socket = createConnection(path);
  const reader = new FrameReader("responses");
  const waiting: { resolve: (line: Uint8Array) => void; reject: (error: NoDaemon) => void }[] = [];
  const fail = (what: string): void => {
    socket.destroy();
    for (const { reject } of waiting.splice(0)) reject(new NoDaemon(`no answer at ${path}: ${what}`));
  };
  socket.setTimeout(timeout_ms, () => fail(`nothing came within ${timeout_ms / 1000} s`));
  socket.on("error", ({ code = "unknown error" }: NodeJS.ErrnoException) =>
    fail(code === "ENOENT" || code === "ECONNREFUSED" ? `${code}; start interlock-sidecar` : code),
  );
  socket.on("close", () => fail("the connection ended"));
  socket.on("data", (chunk: Buffer) => {
    try {
      reader.push(chunk);
      for (let line = reader.next(); line !== null; line = reader.next())
        waiting.shift()?.resolve(Uint8Array.from(line));
    } catch {
      fail("an answer is not a frame");
    }
  });
  const ask = async (id: string, frame: string, agreed: FeatureSet = features): Promise<Answer> => {
    const line = await new Promise<Uint8Array>((resolve, reject) => {
      waiting.push({ resolve, reject });
      socket.write(frame);
    });
    try {
      return parseAnswer(line, agreed, id);
    } catch (error) {
      throw new NoDaemon(`no answer at ${path}: ${(error as Error).message}`);
    }
  };
  try {
    const client = `interlock/${daemonVersion} node/${process.versions.node}`;
    const nonce = randomBytes(16).toString("base64url");
    const answer = await ask("hello", helloFrame("hello", { client, features, nonce, scope: null, token }), noFeatures);
    if (answer.kind === "error" && answer.error.code.startsWith("token_")) {
      throw new NoDaemon(`no answer at ${path}: ${answer.error.message}`);
    }
    if (answer.kind !== "hello") throw new NoDaemon(`no answer at ${path}: it does not speak this protocol's hello`);
    return await converse({ hello: answer.hello, features: answer.hello.features, ask });
  } finally {
    socket.destroy();
  }
};
