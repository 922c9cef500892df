import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { handedToken, tokenOptions } from "./intercept/handed-token.ts";
import { engineFor, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, helloAnswer, type Script, socketPath, welcome } from "./testing/scripted-daemon.ts";
import { tokenSource } from "./token-source.ts";

const directory = mkdtempSync(join(tmpdir(), "il-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const tokenFile = join(directory, "token");

const event = { action: "tool", args: {}, phase: "call" as const };

/** Answers by what each connection showed: `over` has expired. */
const shown =
  (tokens: unknown[]): Script =>
  async (peer) => {
    const hello = await peer.next();
    if (hello === null) return;
    tokens.push(hello.hello.token);
    peer.send(helloAnswer());
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
      const isOver = hello.hello.token === "over";
      const details = { approval_id: null, code: isOver ? "token_expired" : "allowed", errors: [], replayed: false };
      const said = isOver ? { verdict: 1, reason: "the token has expired" } : {};
      peer.send(answerTo(frame.id, said, { ...details, transaction_id: null }));
    }
  };

test("a token file is read anew for each connection, without its line feed", async () => {
  const tokens: unknown[] = [];
  const daemon = await scripted(shown(tokens));
  const engine = engineFor(daemon.path, { tokenFile });
  for (const text of ["first\n", "second\r\n", "third"]) {
    writeFileSync(tokenFile, text);
    expect((await engine.evaluate(event)).verdictName).toBe("ALLOW");
    await engine.close();
  }
  expect(tokens).toEqual(["first", "second", "third"]);
});

test("a token that has run out is replaced: the question is asked once more, with the next one", async () => {
  const tokens: unknown[] = [];
  const daemon = await scripted(shown(tokens));
  const next = ["over", "fresh"];
  const engine = engineFor(daemon.path, { token: () => next.shift() ?? "none" });
  const [one, two] = await Promise.all([engine.evaluate(event), engine.evaluate(event)]);
  expect([one.verdictName, two.verdictName]).toEqual(["ALLOW", "ALLOW"]);
  expect(tokens).toEqual(["over", "fresh"]);
});

test("where the next one has run out too, the call is blocked", async () => {
  const tokens: unknown[] = [];
  const daemon = await scripted(shown(tokens));
  const engine = engineFor(daemon.path, { token: () => "over" });
  const decision = await engine.evaluate(event);
  expect([decision.verdictName, decision.details?.code]).toEqual(["BLOCK", "token_expired"]);
  expect(tokens).toEqual(["over", "over"]);
});

test("a token that cannot be another is not shown twice", async () => {
  const tokens: unknown[] = [];
  const daemon = await scripted(shown(tokens));
  const decision = await engineFor(daemon.path, { token: "over" }).evaluate(event);
  expect([decision.verdictName, tokens]).toEqual(["BLOCK", ["over"]]);
});

const broken: Readonly<Record<string, readonly [options: object, reason: string]>> = {
  "a token file that is not there": [
    { tokenFile: join(directory, "none") },
    `not put to the guard: the token file ${join(directory, "none")} cannot be read (ENOENT)`,
  ],
  "a token file that is a directory": [
    { tokenFile: directory },
    `not put to the guard: the token file ${directory} is not a regular file`,
  ],
  "a function that throws, without its message": [
    {
      token: () => {
        throw new RangeError("hunter2");
      },
    },
    "not put to the guard: `token` threw RangeError",
  ],
  "a function that tells no token": [
    { token: () => "two words" },
    "not put to the guard: `token` told no text of 1 to 8192 printable characters without spaces",
  ],
};
for (const [name, [options, reason]] of Object.entries(broken)) {
  test(`${name} blocks the call, also where an absent daemon would not`, async () => {
    const daemon = await scripted(async (peer) => welcome(peer));
    for (const path of [daemon.path, socketPath()]) {
      const engine = engineFor(path, { ...options, unreachable: "allow", onFallback: () => {} });
      expect(await reasonOf(engine.evaluate(event))).toBe(reason);
      expect(engine.fallbacks).toBe(0);
    }
    expect(daemon.peers).toEqual([]);
  });
}

test.each<[string, string]>([
  ["one of version 1", '{"error":{"code":"bad_request","message":"unknown request key(s): hello"},"id":"","v":1}'],
  ["one that refuses the token", '{"error":{"code":"token_expired","message":"the token has expired"},"id":"h","v":1}'],
])("a daemon that binds nobody is asked nothing: %s", async (_which, answer) => {
  const lines: (string | null)[] = [];
  const daemon = await scripted(async (peer) => {
    await peer.line();
    peer.send(`${answer}\n`);
    lines.push(await peer.line());
  });
  const reason = await reasonOf(engineFor(daemon.path, { token: "t" }).evaluate(event));
  expect(reason).toMatch(/^guard daemon refused the request \((not_available|token_expired)\) at /);
  await vi.waitFor(() => expect(lines).toEqual([null]));
});

test("settings that are none are refused at once", () => {
  for (const options of [{ token: "a b" }, { token: "" }, { tokenFile: "" }, { token: "t", tokenFile: "f" }]) {
    expect(() => tokenSource(options)).toThrow(TypeError);
  }
});

test("another thread is handed a token or its file; a function it could not call", () => {
  for (const options of [{}, { token: "t" }, { tokenFile }]) {
    expect(tokenOptions(handedToken(tokenSource(options)))).toEqual(options);
  }
  expect(() => handedToken(tokenSource({ token: () => "t" }))).toThrow("use `tokenFile`");
});
