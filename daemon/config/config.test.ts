import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseConfig } from "./file.ts";
import { resolveSettings } from "./resolve.ts";

// Whoever runs this may have a configuration of their own.
beforeAll(() => void vi.stubEnv("HOME", mkdtempSync(join(tmpdir(), "il-config-home-"))));
afterAll(() => void vi.unstubAllEnvs());

describe("a configuration file is refused with the line that is wrong", () => {
  const cases: [name: string, text: string, message: string][] = [
    ["an unknown setting", "unknown: block\nsokcet: /x\n", 'c.yaml:2: unknown setting "sokcet"'],
    ["a value that is not one of the choices", "# why\n\nunknown: alow\n", "c.yaml:3: unknown: "],
    ["a list item of the wrong type", "rules:\n  - a\n  - 7\n", "c.yaml:3: rules.1: "],
    ["an empty list of rules", "rules: []\n", "c.yaml:1: rules: "],
    ["a duplicate key", "state: a\nstate: b\n", "c.yaml:2: "],
    ["broken YAML", "rules: [a\nstate: b\n", "c.yaml:"],
    ["an alias", "socket: &a x\nstate: *a\n", "c.yaml:2: aliases are not allowed; write it out"],
    ["a list instead of settings", "- a\n", "c.yaml:1: must be a list of settings"],
    ["a coordination that is no Redis", "coordination: etcd://hunter2\n", "c.yaml:1: coordination: must be `local`"],
    [
      "more days than calls are kept",
      "capture_days: 400\n",
      "c.yaml:1: capture_days: must be a whole number of days, 0 to 90",
    ],
    ["days that are no whole number", "capture_days: 1.5\n", "c.yaml:1: capture_days: must be a whole number of days"],
    ["more days than a call may be kept", "capture_days: 91\n", "c.yaml:1: capture_days: "],
    ["fewer days than none", "capture_days: -1\n", "c.yaml:1: capture_days: "],
    ["principals of no known kind", "principals: jwt\n", "c.yaml:1: principals: "],
    [
      "a principal that climbs",
      "principal: acme/../root\n",
      "c.yaml:1: principal: must be a path such as acme/payments",
    ],
    ["an empty audience", 'audience: ""\n', "c.yaml:1: audience: must be 1 to 256 bytes"],
    ["clocks that are an hour apart", "clock_skew_s: 3600\n", "c.yaml:1: clock_skew_s: "],
  ];
  for (const [name, text, message] of cases) {
    test(name, () => {
      expect(() => parseConfig("c.yaml", text)).toThrowError(
        expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
      );
    });
  }

  test("one that is too large is refused before it is parsed", () => {
    expect(() => parseConfig("c.yaml", `# ${"x".repeat(300_000)}`)).toThrow("larger than 262144 bytes");
  });
});

describe("settings", () => {
  const directory = mkdtempSync(join(tmpdir(), "il-config-"));
  const file = join(directory, "interlock.yaml");
  writeFileSync(file, "socket: run/guard.sock\nstate: ~/il-state\nunknown: block\nrules: [a.ruleset.json]\n");

  test("come from the file, relative to the file", async () => {
    const settings = await resolveSettings({ config: file }, {}, "/elsewhere");
    expect(settings).toMatchObject({
      socket: join(directory, "run/guard.sock"),
      state: join(homedir(), "il-state"),
      rules: [join(directory, "a.ruleset.json")],
      unknown: "block",
      durability: "process",
      coordination: "local",
      deployment_key: expect.stringMatching(/\/deployment\.key$/),
      file,
    });
  });

  test("a flag beats the file, relative to the working directory", async () => {
    const settings = await resolveSettings({ config: file, socket: "s.sock", unknown: "allow" }, {}, "/elsewhere");
    expect(settings).toMatchObject({ socket: "/elsewhere/s.sock", unknown: "allow" });
  });

  test("have defaults under INTERLOCK_HOME, and need no file", async () => {
    const settings = await resolveSettings({}, { INTERLOCK_HOME: directory.concat("/none") }, "/");
    expect(settings).toMatchObject({
      socket: `${directory}/none/guard.sock`,
      state: `${directory}/none/state`,
      unknown: "escalate",
      file: null,
    });
  });

  test("name a keyring beside the configuration that need not be there, and one by file or flag that must", async () => {
    const keyringOf = async (flags: Parameters<typeof resolveSettings>[0]) =>
      (await resolveSettings({ config: file, ...flags }, {}, "/elsewhere")).keyring;
    expect(await keyringOf({})).toEqual({ path: join(directory, "keyring.json"), whenMissing: "none" });
    expect(await keyringOf({ keyring: "k.json" })).toEqual({ path: "/elsewhere/k.json", whenMissing: "refuse" });
    const other = join(directory, "named.yaml");
    writeFileSync(other, "keyring: keys/ring.json\ntrust: []\n");
    expect(await resolveSettings({ config: other }, {}, "/")).toMatchObject({
      keyring: { path: join(directory, "keys/ring.json"), whenMissing: "refuse" },
      trust: [],
    });
  });

  test("believe the key that init made, unless a keyring is there and that key is not", async () => {
    const home = mkdtempSync(join(tmpdir(), "il-config-ring-"));
    const trustIn = async () => (await resolveSettings({}, { INTERLOCK_HOME: home }, "/")).trust;
    const made = join(home, "keys", "rules.key.pub");
    expect(await trustIn()).toEqual([made]);
    writeFileSync(join(home, "keyring.json"), "{}");
    expect(await trustIn()).toEqual([]);
    mkdirSync(join(home, "keys"));
    writeFileSync(made, "");
    expect(await trustIn()).toEqual([made]);
  });

  test("use the session's runtime directory for the socket, as the protocol publishes it", async () => {
    expect((await resolveSettings({}, { XDG_RUNTIME_DIR: "/run/user/7" }, "/")).socket).toBe(
      "/run/user/7/interlock/guard.sock",
    );
  });

  test("name a Redis in the file or by a flag, and the deployment's key by a path", async () => {
    const written = join(directory, "redis.yaml");
    writeFileSync(written, "coordination: redis://:p@10.0.0.1/2\ndeployment_key: keys/shared.key\n");
    expect(await resolveSettings({ config: written }, {}, "/elsewhere")).toMatchObject({
      coordination: "redis://:p@10.0.0.1/2",
      deployment_key: join(directory, "keys/shared.key"),
    });
    const flags = { config: written, coordination: "local", deployment_key: "own.key" };
    expect(await resolveSettings(flags, {}, "/elsewhere")).toMatchObject({
      coordination: "local",
      deployment_key: "/elsewhere/own.key",
    });
  });

  test("a coordination by flag that is no Redis is refused, and nothing of it is told", () => {
    return expect(resolveSettings({ coordination: "redis://:hunter2@" }, {}, "/")).rejects.toThrowError(
      expect.objectContaining({ exitCode: 2, message: expect.not.stringContaining("hunter2") }),
    );
  });

  test("whoever has no token may name anybody where none is asked for, and the configured one where one is", async () => {
    expect(await resolveSettings({}, {}, "/")).toMatchObject({ principals: "claimed", principal: null, claims: "any" });
    expect(await resolveSettings({ principals: "token" }, {}, "/")).toMatchObject({ claims: "below", audience: null });
    const written = { principals: "token", principal: "acme", claims: "any" } as const;
    expect(await resolveSettings(written, {}, "/")).toMatchObject({ ...written, clock_skew_s: 30 });
  });

  test("claims below nobody are refused: nobody could act", () => {
    return expect(resolveSettings({ claims: "below" }, {}, "/")).rejects.toThrow("claims: below needs `principal`");
  });

  test("a configuration that was named and is not there is refused", () => {
    return expect(resolveSettings({ config: "/nowhere.yaml" }, {}, "/")).rejects.toThrow("cannot be read (ENOENT)");
  });
});
