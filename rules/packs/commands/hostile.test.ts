import { expect, it } from "vitest";
import { judgeBy, surroundings } from "../../../test/detect/judge.ts";
import { commands } from "./index.ts";

const starter = commands.tiers.starter as NonNullable<typeof commands.tiers.starter>;
const rules = commands.rules(starter, { ...surroundings, allowHosts: [] });
const cpuOf = async (run: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

// What is longer than 16 KiB is held unread; the others are as long as is read.
it.each([
  ["100 KB of one word", "a".repeat(100_000)],
  ["100 KB of words", "a ".repeat(50_000)],
  ["100 KB of quotes", "'\"".repeat(33_000)],
])("%s are held at once", async (_what, command) => {
  const judge = judgeBy("starter", rules);
  await judge({ action: "bash", args: { command: "true" } });
  let kind = "";
  const cpu_ms = await cpuOf(async () => {
    kind = (await judge({ action: "bash", args: { command } })).kind;
  });
  expect(kind).toBe("escalate");
  expect(cpu_ms).toBeLessThan(50);
});

it.each([
  ["braces", `echo ${"{a,b}".repeat(3_000)}`],
  ["braces within braces", `echo ${"{a,".repeat(5_000)}`],
  ["ranges", "echo {1..999999999}"],
  ["variables of many values", `${"if a; then A=1; else A=2; fi; ".repeat(8)}${"B=$A$A; ".repeat(20)} echo $B$B$B`],
  [
    "functions that call each other",
    `${Array.from({ length: 30 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; }; `).join("")} f0`,
  ],
  ["substitutions within substitutions", `${"echo $(".repeat(150)}a${")".repeat(150)}`],
  ["options", `curl ${"-H x ".repeat(3_000)}`],
  ["paths", `rm -rf ${"a/../".repeat(3_000)}`],
  ["folders", `${"cd a; ".repeat(300)} rm -rf x`],
  ["code", `python3 -c '${'"a'.repeat(7_000)}'`],
  ["patterns", `cat /proc/${"*".repeat(10_000)}`],
  ["a line for PowerShell", `powershell -c "${"rm ".repeat(4_000)}"`],
  ["a line for cmd", `cmd /c "${"reg ".repeat(3_500)}"`],
])("%s without end are judged in time", async (_what, command) => {
  const judge = judgeBy("starter", rules);
  await judge({ action: "bash", args: { command: "true" } });
  const cpu_ms = await cpuOf(async () => {
    await judge({ action: "bash", args: { command } });
  });
  expect(cpu_ms).toBeLessThan(1_000);
});

it("a call without a command costs next to nothing, and a command that was seen before little", async () => {
  const judge = judgeBy("starter", rules);
  const call = { action: "read_file", args: { path: "x".repeat(1_000) } };
  await judge(call);
  const cost_us = async (event: Parameters<typeof judge>[0], times: number): Promise<number> =>
    ((await cpuOf(async () => {
      for (let at = 0; at < times; at++) await judge({ ...event, args: { ...event.args } });
    })) /
      times) *
    1_000;
  // Generous: a quiet machine takes some 3 and 20.
  expect(await cost_us(call, 2_000)).toBeLessThan(100);
  const command = { action: "bash", args: { command: "cd src && grep -n x *.ts | head -5" } };
  await cost_us(command, 50);
  expect(await cost_us(command, 500)).toBeLessThan(400);
});
