import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { featureSet } from "../../wire/features.ts";
import { MAX_LINE, maxInFlightRequests } from "../../wire/limits.ts";
import { Connection, type LineHandler } from "./connection.ts";
import { Sessions } from "./session.ts";

/** The daemon's side of one connection, and its peer's, over a real socket. */
interface Pair {
  readonly connection: Connection;
  readonly peer: Socket;
  readonly lines: string[];
  readonly heard: () => string;
  readonly isClosed: () => boolean;
  readonly heldBytes: () => number;
}

let directory: string;
let server: Server | null;
let peer: Socket | null;
/** The daemon's ends. One that takes no lines does not see that its peer has gone. */
const served: Socket[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-conn-"));
});
afterEach(async () => {
  peer?.destroy();
  for (const socket of served.splice(0)) socket.destroy();
  await new Promise((resolve) => server?.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

const pipelined = new Sessions().join(
  { nonce: "a-nonce-of-some-length", features: featureSet(["resend"]), scope: null, identity: null, client: "test" },
  0,
  () => false,
);

/** @param onLine what is done with a line; by default nothing is answered. */
const connect = async (onLine: (connection: Connection, line: string) => void = () => undefined): Promise<Pair> => {
  const path = join(directory, "s");
  const lines: string[] = [];
  let heard = "";
  let held = 0;
  let isClosed = false;
  const connections: Connection[] = [];
  const handler: LineHandler = {
    onLine: (connection, line) => {
      lines.push(Buffer.from(line).toString());
      onLine(connection, lines.at(-1) as string);
    },
    onHeldBytes: (change) => {
      held += change;
    },
    onClose: () => {
      isClosed = true;
    },
    hasRoom: () => true,
    wantsFlush: (connection) => void setImmediate(() => connection.flush()),
  };
  server = createServer({ allowHalfOpen: true }, (socket) => {
    served.push(socket);
    connections.push(new Connection(socket, handler));
  });
  server.listen(path);
  const made = createConnection({ path, allowHalfOpen: true });
  peer = made;
  made.setEncoding("utf8").on("data", (text: string) => {
    heard += text;
  });
  made.on("error", () => undefined);
  await until(() => connections.length === 1);
  return {
    connection: connections[0] as Connection,
    peer: made,
    lines,
    heard: () => heard,
    isClosed: () => isClosed,
    heldBytes: () => held,
  };
};

const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1_000) throw new Error("did not come to hold within 5 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

test("lines come whole, however the bytes were cut, and what is unfinished is counted", async () => {
  const { peer, lines, heldBytes } = await connect();
  peer.write("one\ntw");
  await until(() => lines.length === 1 && heldBytes() === 2);
  peer.write("o\nthree\n");
  await until(() => lines.length === 3);
  expect(lines).toEqual(["one", "two", "three"]);
  expect(heldBytes()).toBe(0);
});

test("a version 1 peer has one question in judgement, and the next one waits for its answer", async () => {
  const { connection, peer, lines, heard } = await connect((connection) => connection.began());
  peer.write("one\ntwo\n");
  await until(() => lines.length === 1);
  await pause();
  expect(lines).toEqual(["one"]);
  connection.say("answer\n");
  connection.ended();
  connection.flush();
  await until(() => lines.length === 2 && heard() === "answer\n");
});

test("a peer that agreed to resend has up to the protocol's bound in judgement, and no more", async () => {
  const { connection, peer, lines } = await connect((connection) => connection.began());
  connection.session = pipelined;
  peer.write("q\n".repeat(maxInFlightRequests + 5));
  await until(() => lines.length === maxInFlightRequests);
  await pause();
  expect(lines.length).toBe(maxInFlightRequests);
  connection.ended();
  await until(() => lines.length === maxInFlightRequests + 1);
});

test("a peer that is refused in the middle of a frame can finish it, and reads why; beyond a frame it is cut off", async () => {
  for (const isLonger of [false, true]) {
    const { connection, peer, heard, heldBytes, isClosed } = await connect();
    const failures: unknown[] = [];
    peer.write(Buffer.alloc(1024, 0x61));
    await until(() => heldBytes() === 1024);
    connection.refuse("no room");
    expect(heldBytes()).toBe(0);
    await until(() => heard().includes("no room"));
    let written = false;
    peer.write(Buffer.alloc(isLonger ? 2 * MAX_LINE : MAX_LINE - 2048, 0x61), (error) => {
      if (error) failures.push(error);
      written = true;
    });
    await until(() => written);
    expect(failures.length).toBe(isLonger ? 1 : 0);
    peer.destroy();
    await until(isClosed);
    await new Promise((resolve) => server?.close(resolve));
    rmSync(join(directory, "s"), { force: true });
  }
});

test("a peer that closed its side is answered, then the connection ends", async () => {
  const { connection, peer, lines, heard, isClosed } = await connect((connection) => connection.began());
  peer.end("q\n");
  await until(() => lines.length === 1);
  await pause();
  expect(isClosed()).toBe(false);
  connection.say("answer\n");
  connection.ended();
  connection.flush();
  await until(isClosed);
  expect(heard()).toBe("answer\n");
});

test("a line that is too long, and a stream that ends inside one, is an error frame and the end", async () => {
  const long = await connect();
  long.peer.write(Buffer.alloc(MAX_LINE + 1, 0x61));
  await until(() => long.heard().endsWith("\n"));
  expect(JSON.parse(long.heard())).toMatchObject({ error: { code: "too_large" }, id: "" });
  await until(long.isClosed);
  expect(long.lines).toEqual([]);
});

test("half a frame at the end of the stream is an error frame, never a line", async () => {
  const half = await connect();
  half.peer.end(`{"v":1,`);
  await until(half.isClosed);
  await until(() => half.heard().endsWith("\n"));
  expect(JSON.parse(half.heard())).toMatchObject({ error: { code: "too_large" } });
  expect(half.lines).toEqual([]);
});

test("a handler that throws costs the connection, without a word", async () => {
  const { peer, heard, isClosed } = await connect(() => {
    throw new TypeError("secret");
  });
  peer.write("q\n");
  await until(isClosed);
  expect(heard()).toBe("");
});

test("a peer that goes away in the middle is no error, and gives back what it held", async () => {
  const { connection, peer, lines, isClosed, heldBytes } = await connect((connection) => connection.began());
  peer.write("q\nhalf a fra");
  await until(() => lines.length === 1);
  expect(heldBytes()).toBeGreaterThan(0);
  peer.destroy();
  await pause();
  // Its question is decided all the same; the answer has nowhere to go.
  connection.say("answer\n");
  connection.ended();
  connection.flush();
  await until(isClosed);
  expect(heldBytes()).toBe(0);
});

test("a drain takes no line more, answers what was taken, and ends though the peer goes on writing", async () => {
  const { connection, peer, lines, heard, isClosed } = await connect((connection) => connection.began());
  connection.session = pipelined;
  peer.write("one\ntwo\n");
  await until(() => lines.length === 2);
  connection.drain();
  const flood = setInterval(() => peer.write("more\n"), 1);
  await pause();
  expect(isClosed()).toBe(false);
  for (const answer of ["1\n", "2\n"]) {
    connection.say(answer);
    connection.ended();
  }
  connection.flush();
  await until(isClosed);
  clearInterval(flood);
  expect(lines).toEqual(["one", "two"]);
  expect(heard()).toBe("1\n2\n");
});

test("a drain of a connection on which nothing is asked ends it at once", async () => {
  const { connection, isClosed, heard } = await connect();
  connection.drain();
  await until(isClosed);
  expect(heard()).toBe("");
});

test("a peer that does not read is not answered without bound: its next lines wait, then it is cut off", async () => {
  const { connection, peer, isClosed } = await connect();
  peer.pause();
  let said = 0;
  while (!isClosed() && said < 64 * 1024 * 1024) {
    connection.say("x".repeat(1024 * 1024));
    connection.flush();
    said += 1024 * 1024;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isClosed()).toBe(true);
  expect(said).toBeLessThan(32 * 1024 * 1024);
});
