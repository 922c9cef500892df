import { expect, test } from "vitest";
import { interlock } from "../kit/daemon.ts";

const env = { env: process.env };

test("each command that the help names is found by its name alone", async () => {
  const { stdout } = await interlock(env, ["--help"]);
  const listed = stdout.slice(stdout.indexOf("Commands:"), stdout.indexOf("Start here"));
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => name !== "help");
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const help = await interlock(env, [name, "--help"]);
    expect([help.code, help.stdout.split("\n")[0]]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Usage: interlock ${name}( |$)`)),
    ]);
  }
}, 60_000);

test("a misspelt command is refused, and the right one is suggested", async () => {
  const { code, stderr } = await interlock(env, ["recepts", "verify"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/unknown command 'recepts'/);
  expect(stderr).toMatch(/Did you mean receipts\?/);
});
