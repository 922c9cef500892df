import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RemoteEngine } from "../../client-node/index.ts";
import { type Daemon, interlock, receiptsOf, runDaemon, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

const running: Daemon[] = [];
afterEach(async () => {
  for (const daemon of running.splice(0)) if (daemon.isAlive()) await daemon.kill();
});

const started = async (place: Place): Promise<Daemon> => {
  const daemon = await startDaemon(place, ["--fallback-policy", join(place.home, "away.yaml")]);
  running.push(daemon);
  return daemon;
};

/** A day in a year's time: what is written here never expires in a test. */
const end = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);

const write = (place: Place, version: number, directory = "/srv/"): void =>
  writeFileSync(
    join(place.home, "away.yaml"),
    `id: prod
version: ${version}
not_after: ${end}
rules:
  - id: reads
    effect: allow
    actions: [read_file]
    where:
      path: { prefix: [${directory}] }
    only_arguments: [path]
`,
  );

const placeWithKey = async (): Promise<Place> => {
  const place = await makePlace(ruleModule(plainRule()), "unknown: block\n");
  mkdirSync(join(place.home, "keys"), { mode: 0o700 });
  expect(await interlock(place, ["keygen", join(place.home, "keys", "fallback.key")])).toMatchObject({ code: 0 });
  write(place, 7);
  return place;
};

const signedFile = (place: Place): string => join(place.home, "away.yaml.signed");
const changes = async (place: Place): Promise<readonly unknown[]> =>
  (await receiptsOf(place)).filter(({ event }) => event === "fallback_changed").map(({ detail }) => detail);

test("a daemon signs the policy at its start, notes it, and clients decide by it when the daemon is away", async () => {
  const place = await placeWithKey();
  const daemon = await started(place);
  expect(daemon.stderr()).toContain(`fallback policy prod 7 published to ${signedFile(place)}`);
  expect(statSync(signedFile(place)).mode & 0o777).toBe(0o644);
  const text = readFileSync(signedFile(place), "utf8");
  await daemon.stop();
  const engine = new RemoteEngine(place.socket, {
    unreachable: "degraded",
    grace_ms: 50,
    fallbackFile: signedFile(place),
    fallbackKeyFile: join(place.home, "keys", "fallback.key.pub"),
    fallbackSpool: join(place.home, "offline"),
    onFallback: () => {},
  });
  expect((await engine.evaluate({ action: "read_file", args: { path: "/srv/a" } })).verdictName).toBe("ALLOW");
  expect((await engine.evaluate({ action: "read_file", args: { path: "/etc/a" } })).verdictName).toBe("BLOCK");
  await engine.close();
  // The same policy is the same file, whenever it is signed.
  await (await started(place)).stop();
  expect(readFileSync(signedFile(place), "utf8")).toBe(text);
  expect(await changes(place)).toEqual([
    expect.stringMatching(/^fallback policy prod@7 sha256:[0-9a-f]{64}, signed by [0-9a-f]{16}; before: none$/),
  ]);
});

test("a change needs a higher version: at a reload what is published stays, at a start it is refused", async () => {
  const place = await placeWithKey();
  const daemon = await started(place);
  const text = readFileSync(signedFile(place), "utf8");
  write(place, 7, "/etc/");
  const refused = await interlock(place, ["rules", "reload"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("version 7 was published with other contents; raise the version above 7");
  expect(readFileSync(signedFile(place), "utf8")).toBe(text);
  write(place, 8, "/etc/");
  expect(await interlock(place, ["rules", "reload"])).toMatchObject({ code: 0 });
  await until("it is published", () => readFileSync(signedFile(place), "utf8") !== text);
  await daemon.stop();
  expect((await changes(place)).length).toBe(2);
  // What was published is remembered in the ledger, also where the file is gone.
  rmSync(signedFile(place));
  write(place, 7);
  const args = ["--fallback-policy", join(place.home, "away.yaml")];
  const ended = await runDaemon(place, args);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toContain("version 7 of prod is older than version 8, which was published; clients refuse it");
  expect(existsSync(signedFile(place))).toBe(false);
});

test("a start says what is missing: the policy, its key, its end", async () => {
  const place = await placeWithKey();
  const args = ["--fallback-policy", join(place.home, "away.yaml")];
  const key = join(place.home, "keys", "fallback.key");
  renameSync(key, `${key}.away`);
  const keyless = await runDaemon(place, args);
  expect(keyless).toMatchObject({ code: 2 });
  expect(keyless.stderr).toContain(`there is no key at ${key} that opens, and ${signedFile(place)} does not exist`);
  renameSync(`${key}.away`, key);
  chmodSync(key, 0o644);
  expect((await runDaemon(place, args)).stderr).toContain("fallback.key");
  chmodSync(key, 0o600);
  writeFileSync(join(place.home, "away.yaml"), "id: prod\nversion: 1\nnot_after: 2020-01-01\nrules: []\n");
  expect(await runDaemon(place, [...args, "--check"])).toMatchObject({ code: 2 });
  rmSync(join(place.home, "away.yaml"));
  const missing = await runDaemon(place, args);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain("away.yaml does not exist");
  // Nobody writes into it: whoever waits for it waits for ever, and for no signal.
  execFileSync("mkfifo", [join(place.home, "away.yaml")]);
  const pipe = await runDaemon(place, args);
  expect(pipe).toMatchObject({ code: 2 });
  expect(pipe.stderr).toContain("away.yaml is not a regular file");
});

test("where the key is elsewhere, a file that was signed there is published as it is", async () => {
  const place = await placeWithKey();
  const policy = join(place.home, "away.yaml");
  const key = join(place.home, "keys", "fallback.key");
  expect(await interlock(place, ["fallback", "sign", policy])).toMatchObject({ code: 0 });
  const text = readFileSync(signedFile(place), "utf8");
  const keyring = join(place.home, "keyring.json");
  expect(await interlock(place, ["keys", "trust", `${key}.pub`, "--role", "fallback"])).toMatchObject({ code: 0 });
  expect(existsSync(keyring)).toBe(true);
  renameSync(key, `${key}.away`);
  const daemon = await started(place);
  expect(daemon.stderr()).toContain("fallback policy prod 7 published");
  expect(readFileSync(signedFile(place), "utf8")).toBe(text);
  await daemon.stop();
});

test("a stop outlives the daemon that knew of it: no client decides without one until it is over", async () => {
  const place = await placeWithKey();
  const daemon = await started(place);
  const engine = new RemoteEngine(place.socket, {
    unreachable: "degraded",
    grace_ms: 50,
    fallbackFile: signedFile(place),
    fallbackKeyFile: join(place.home, "keys", "fallback.key.pub"),
    fallbackSpool: join(place.home, "offline"),
    onFallback: () => {},
  });
  const read = { action: "read_file", args: { path: "/srv/a" } };
  const stopFile = join(place.state, "STOP");
  writeFileSync(stopFile, "an incident\n");
  await until("the mark stands", () => existsSync(`${place.socket}.stopped`));
  await daemon.kill();
  await expect(engine.evaluate(read)).rejects.toThrow("everything was stopped before");
  // A daemon that knows of the stop keeps the mark; once it is over, the mark goes.
  const next = await started(place);
  expect(existsSync(`${place.socket}.stopped`)).toBe(true);
  rmSync(stopFile);
  await until("the mark is gone", () => !existsSync(`${place.socket}.stopped`));
  await next.kill();
  expect((await engine.evaluate(read)).verdictName).toBe("ALLOW");
  await engine.close();
});
