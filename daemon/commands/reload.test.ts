import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Settings } from "../config/settings.ts";
import { reload } from "./reload.ts";
import { answeringPeer, serving, settingsIn, shortDirectory } from "./test-answering-peer.ts";

const writeStatus = ({ state, socket }: Settings, started_ms: number, pid = process.pid): void =>
  writeFileSync(
    join(state, "daemon.json"),
    JSON.stringify({ pid, socket, version: "1.0.0", started: new Date(started_ms).toISOString() }),
  );

/** This process stands for the daemon: it counts the signals that it gets. */
const hangUps = (then: () => void = () => undefined): (() => number) => {
  let count = 0;
  const heard = (): void => {
    count++;
    then();
  };
  process.on("SIGHUP", heard);
  onTestFinished(() => void process.off("SIGHUP", heard));
  return () => count;
};

test("no daemon keeps its ledger there, or its file is none", async () => {
  const settings = settingsIn(shortDirectory());
  const refused = { exitCode: 1, lines: [`no daemon keeps its ledger in ${settings.state}; start interlock-sidecar`] };
  expect(await reload(settings)).toMatchObject(refused);
  writeFileSync(join(settings.state, "daemon.json"), `{"pid":-1}`);
  expect(await reload(settings)).toMatchObject(refused);
});

test("the daemon is asked by signal, and the outcome is what it tells", async () => {
  const settings = settingsIn(shortDirectory());
  writeStatus(settings, Date.now() - 7_000);
  let health = serving;
  await answeringPeer(settings.socket, () => health);
  const heard = hangUps(() => {
    health = { ...serving, rules: "sha256:new", rules_version: 4, reload: { count: 1, ok: true, message: "" } };
  });
  expect(await reload(settings)).toEqual({
    exitCode: 0,
    lines: ["rules sha256:new, version 4, in force"],
    json: { ok: true, rules: "sha256:new", rules_version: 4, before: "sha256:abc" },
  });
  expect(heard()).toBe(1);
});

test("a reload that was refused is exit code 1 and the reason", async () => {
  const settings = settingsIn(shortDirectory());
  writeStatus(settings, Date.now() - 7_000);
  let health = serving;
  await answeringPeer(settings.socket, () => health);
  hangUps(() => {
    health = { ...serving, reload: { count: 1, ok: false, message: "is older" } };
  });
  const line = "the rules stay as they were: is older";
  expect(await reload(settings)).toEqual({ exitCode: 1, lines: [line], json: { ok: false, message: line } });
});

test("a file that a killed daemon left: whoever has its process id now is not sent a signal", async () => {
  const settings = settingsIn(shortDirectory());
  writeStatus(settings, Date.now() - 3_600_000);
  await answeringPeer(settings.socket, () => serving);
  const heard = hangUps();
  const { exitCode, lines } = await reload(settings);
  expect(exitCode).toBe(1);
  expect(lines[0]).toContain("was left by a daemon that is gone");
  expect(heard()).toBe(0);
});

test("a file whose daemon does not answer: nobody is sent a signal", async () => {
  const settings = settingsIn(shortDirectory());
  writeStatus(settings, Date.now());
  const heard = hangUps();
  expect(await reload(settings)).toMatchObject({
    exitCode: 1,
    lines: [`no answer at ${settings.socket}: ENOENT; start interlock-sidecar`],
  });
  expect(heard()).toBe(0);
});
