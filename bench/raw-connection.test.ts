import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Frames } from "./frames.ts";
import { type Answers, RawConnection } from "./raw-connection.ts";
import { ServerProcess } from "./server-process.ts";

let folder: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const floor = async (name: string, answers: Answers): Promise<RawConnection> => {
  const script = fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
  const server = await ServerProcess.start("0", [script, join(folder, "s")]);
  closers.push(() => server.stop());
  const connection = await RawConnection.open(server.socketPath, answers);
  closers.push(() => connection.close());
  return connection;
};

/** A server that answers hello with itself and then each request with what `answer` says. */
const serverThat = async (answer: (id: string, at: number) => string): Promise<RawConnection> => {
  const path = join(folder, "own");
  const server: Server = createServer((socket) => {
    let at = -1;
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().trim().split("\n")) {
        at += 1;
        socket.write(at === 0 ? `${line}\n` : answer(JSON.parse(line).id, at));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  closers.push(() => server.close());
  const connection = await RawConnection.open(path, "verdicts");
  closers.push(() => connection.close());
  return connection;
};

const numbered = (count: number, filler = 0): Frames => {
  const frames = new Frames(count, filler);
  frames.number(1);
  return frames;
};

it("times each request against the echo server", async () => {
  const connection = await floor("echo", "echo");
  const latencies = await connection.oneAtATime(numbered(20));
  expect(latencies.length).toBe(20);
  expect(Math.min(...latencies)).toBeGreaterThan(0);
});

it("times requests larger than one read", async () => {
  const connection = await floor("parse-and-answer", "verdicts");
  const latencies = await connection.oneAtATime(numbered(3, 1024 * 1024));
  expect(Math.min(...latencies)).toBeGreaterThan(0);
});

it.each([1, 8, 64])("keeps %i in flight until all are answered", async (window) => {
  const connection = await floor("parse-and-answer", "verdicts");
  expect(await connection.pipelined(numbered(200), window)).toBeGreaterThan(0);
});

it("refuses a block in which one answer was not like the others", async () => {
  const connection = await serverThat(
    (id, at) => `{"id":"${id}","verdict":0${at === 3 ? ',"reason":"blocked"' : ""}}\n`,
  );
  await expect(connection.oneAtATime(numbered(10))).rejects.toThrow("answers differ in length");
});

it("refuses a block whose answers are not ALLOW", async () => {
  const connection = await serverThat((id) => `{"id":"${id}","verdict":1}\n`);
  await expect(connection.oneAtATime(numbered(10))).rejects.toThrow("not an ALLOW");
});

it("refuses answers to other requests", async () => {
  const connection = await serverThat(() => '{"id":"b-999999999999","verdict":0}\n');
  await expect(connection.pipelined(numbered(10), 4)).rejects.toThrow("not an ALLOW");
});

it("fails when the server goes away", async () => {
  const path = join(folder, "gone");
  const server = createServer((socket) => {
    socket.once("data", (chunk) => {
      socket.write(chunk);
      socket.once("data", () => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  closers.push(() => server.close());
  const connection = await RawConnection.open(path, "echo");
  await expect(connection.oneAtATime(numbered(2))).rejects.toThrow("closed the connection");
});
