import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { doctor } from "./doctor.ts";
import { answeringPeer, serving, settingsIn, shortDirectory } from "./test-answering-peer.ts";

test("without a daemon and without rules it fails, and says both", async () => {
  const settings = settingsIn(shortDirectory());
  const { exitCode, lines, json } = await doctor(settings, Date.now());
  expect(exitCode).toBe(1);
  expect(lines[0]).toBe(`FAIL the socket is there: ${settings.socket} is missing; start interlock-sidecar`);
  expect(lines[1]).toMatch(/^FAIL a daemon with these rules can be asked: /);
  expect(lines.at(-1)).toBe("calls are NOT enforced as configured");
  expect(json.ok).toBe(false);
});

test("a mark that stands is told: calls wait or are blocked while it does", async () => {
  const settings = settingsIn(shortDirectory());
  await answeringPeer(settings.socket, () => serving);
  writeFileSync(`${settings.socket}.restarting`, "");
  const { exitCode, lines } = await doctor(settings, Date.now());
  expect(exitCode).toBe(1);
  expect(lines).toContain(`FAIL no restart is under way: ${settings.socket}.restarting stands`);
});
