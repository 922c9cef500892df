import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfigFile } from "../config/file.ts";
import { OperatorRegister } from "../operator/register.ts";
import { readTokenFile } from "../operator/token-files.ts";
import { init } from "./init.ts";
import { shortDirectory } from "./test-answering-peer.ts";

const at = (home: string, roots: readonly string[] = [tmpdir()]) =>
  init({ home, roots, env: { XDG_RUNTIME_DIR: "/run/user/1" }, user: "Ann", now_ms: Date.now() });

test("makes a configuration that names what it made", async () => {
  const home = join(shortDirectory(), "home");
  expect((await at(home)).exitCode).toBe(0);
  expect(readConfigFile(join(home, "interlock.yaml"))).toEqual({
    socket: join(home, "guard.sock"),
    state: "state",
    rules: ["rules/starter.ruleset.json"],
    trust: ["keys/rules.key.pub"],
    unknown: "escalate",
    durability: "process",
  });
  for (const name of ["rules/starter.ruleset.json", "keys/rules.key.pub", "keys/rules.key"])
    expect(existsSync(join(home, name))).toBe(true);
  for (const name of ["keys", "state", "operators"]) expect(statSync(join(home, name)).mode & 0o777).toBe(0o700);
});

test("makes its user an operator, whose token is the one that the state directory knows", async () => {
  const home = join(shortDirectory(), "home");
  await at(home);
  const token = readTokenFile(join(home, "operators"), "ann");
  expect(new OperatorRegister(join(home, "state")).identify(token)).toEqual({ name: "ann", roles: [] });
  for (const name of ["operators/ann.token", "state/operators.json"])
    expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
});

test.each(["interlock.yaml", "rules/starter.ts", "keys/rules.key", "keys/rules.key.pub", "rules/starter.ruleset.json"])(
  "overwrites nothing: %s",
  async (name) => {
    const home = shortDirectory();
    mkdirSync(join(home, "keys"));
    mkdirSync(join(home, "rules"));
    writeFileSync(join(home, name), "mine");
    await expect(at(home)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("exists already") });
    expect(readFileSync(join(home, name), "utf8")).toBe("mine");
    expect([...readdirSync(join(home, "keys")), ...readdirSync(join(home, "rules"))].length).toBeLessThanOrEqual(1);
  },
);

test("where signing fails everything that it made is gone, and nothing else", async () => {
  const home = shortDirectory();
  mkdirSync(join(home, "rules"));
  writeFileSync(join(home, "rules", "mine.ts"), "mine");
  expect((await at(home, ["~/../elsewhere"])).exitCode).toBe(2);
  expect(readdirSync(home)).toEqual(["rules"]);
  expect(readdirSync(join(home, "rules"))).toEqual(["mine.ts"]);
});

test("a root that does not exist is a misspelt one: refused, and nothing is made", async () => {
  const home = join(shortDirectory(), "home");
  await expect(at(home, [join(home, "nowhere")])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("does not exist; make it first"),
  });
  expect(existsSync(home)).toBe(false);
});
