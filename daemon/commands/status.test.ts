import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { signCheckpoint } from "../ledger/checkpoints/checkpoint.ts";
import { signedNoteText } from "../ledger/checkpoints/signed-note.ts";
import { status } from "./status.ts";
import { answeringPeer, serving, settingsIn, shortDirectory } from "./test-answering-peer.ts";

test("nobody there: exit code 1, and the path", async () => {
  const settings = settingsIn(shortDirectory());
  const line = `no answer at ${settings.socket}: ENOENT; start interlock-sidecar`;
  expect(await status(settings)).toEqual({ exitCode: 1, lines: [line], json: { ok: false, message: line } });
});

test("a daemon that serves: who, where, which rules, how it went", async () => {
  const settings = settingsIn(shortDirectory());
  await answeringPeer(settings.socket, () => serving);
  expect(await status(settings)).toEqual({
    exitCode: 0,
    lines: [
      `interlock/1.0.0 is serving at ${settings.socket}`,
      "rules sha256:abc, version 3",
      "receipts 5; up 7 s; reloaded never",
      `its process and checkpoints are not told: ${settings.state} is not its state directory`,
    ],
    json: {
      ok: true,
      daemon: "interlock/1.0.0",
      socket: settings.socket,
      pid: null,
      self_protection: null,
      checkpoint: null,
      unsigned: null,
      ...serving,
    },
  });
});

test("the process is told where its file says so, and the last reload where there was one", async () => {
  const settings = settingsIn(shortDirectory());
  writeFileSync(
    join(settings.state, "daemon.json"),
    JSON.stringify({ pid: 4242, socket: settings.socket, version: "1.0.0", started: "2026-01-01T00:00:00.000Z" }),
  );
  await answeringPeer(settings.socket, () => ({ ...serving, reload: { count: 2, ok: false, message: "is older" } }));
  const { lines } = await status(settings);
  expect(lines[0]).toBe(`interlock/1.0.0 is serving at ${settings.socket}, process 4242`);
  expect(lines[2]).toContain("the last one was refused: is older");
  expect(lines).toHaveLength(4);
});

test("the newest checkpoint is told with its age, and why there is no newer one", async () => {
  const settings = settingsIn(shortDirectory());
  const started = "2026-01-01T00:00:00.000Z";
  const unsigned = "the disk is full";
  writeFileSync(
    join(settings.state, "daemon.json"),
    JSON.stringify({ pid: 4242, socket: settings.socket, version: "1.0.0", started, unsigned }),
  );
  const path = join(settings.state, "checkpoint");
  const note = signCheckpoint({ origin: "interlock/a", size: 3, root: new Uint8Array(32) }, generateKeyPair());
  writeFileSync(path, signedNoteText(note), { mode: 0o600 });
  const written_s = Date.now() / 1_000 - 90;
  utimesSync(path, written_s, written_s);
  await answeringPeer(settings.socket, () => serving);
  const { lines, json } = await status(settings);
  expect(lines.slice(3)).toEqual([
    expect.stringMatching(/^checkpoint of 3 receipts, 9\d s old; 2 receipts after it$/),
    "no checkpoint can be made: the disk is full",
  ]);
  expect(json).toMatchObject({ checkpoint: { size: 3 }, unsigned });
  utimesSync(path, 9e9, 9e9);
  expect((await status(settings)).lines[3]).toBe("checkpoint of 3 receipts, 0 s old; 2 receipts after it");
});

test("a daemon that does not protect itself is told apart", async () => {
  const settings = settingsIn(shortDirectory());
  const started = "2026-01-01T00:00:00.000Z";
  writeFileSync(
    join(settings.state, "daemon.json"),
    JSON.stringify({ pid: 4242, socket: settings.socket, version: "1.0.0", started, self_protection: "off" }),
  );
  await answeringPeer(settings.socket, () => serving);
  const { lines, json } = await status(settings);
  expect(lines.at(-1)).toBe("self-protection is off: a guarded process may alter what guards it");
  expect(json.self_protection).toBe("off");
});

test.each(["disabled", "draining", "stopped"] as const)(
  "a daemon that is %s is not one that serves: exit code 1",
  async (state) => {
    const settings = settingsIn(shortDirectory());
    await answeringPeer(settings.socket, () => ({ ...serving, status: state }));
    expect(await status(settings)).toMatchObject({ exitCode: 1, json: { ok: false, status: state } });
  },
);

test.each([
  ["what is no frame", "hello?\n"],
  ["half a frame", `{"hello":`],
  [
    "an error frame, as a daemon without hello sends it",
    `{"error":{"code":"bad_request","message":"m"},"id":"hello","v":1}\n`,
  ],
  ["the answer to another question", `{"error":{"code":"internal","message":"m"},"id":"other","v":1}\n`],
])("a peer that answers %s is no daemon: one line, exit code 1", { timeout: 10_000 }, async (_what, answer) => {
  const settings = settingsIn(shortDirectory());
  await answeringPeer(settings.socket, answer);
  const { exitCode, lines } = await status(settings);
  expect(exitCode).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^no answer at \S+g\.sock: [^\n]+$/)]);
});
