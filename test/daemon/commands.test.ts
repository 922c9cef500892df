import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Daemon, interlock, runDaemon, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import type { Ended } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

const jsonOf = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;
const linesOf = ({ stdout }: Ended): readonly string[] => stdout.trimEnd().split("\n");

/** A home as `interlock init` makes it; what the daemon is started in is the same. */
const homeAt = (home: string): Place => ({
  home,
  socket: join(home, "guard.sock"),
  state: join(home, "state"),
  rules: join(home, "rules", "starter.ruleset.json"),
  trust: join(home, "keys", "rules.key.pub"),
  config: join(home, "interlock.yaml"),
  env: { HOME: home, INTERLOCK_HOME: home },
});

describe("a user, from nothing to verified receipts", () => {
  const place = homeAt(join(shortDirectory(), "home"));
  const source = join(place.home, "rules", "starter.ts");
  const events = join(place.home, "..", "events.jsonl");
  const exported = join(place.home, "..", "receipts.jsonl");
  let daemon: Daemon;

  beforeAll(async () => {
    const made = await interlock(place, ["init", "--root", "/tmp"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toContain(`socket         ${place.socket}`);
    daemon = await startDaemon(place);
    writeFileSync(
      events,
      [
        { action: "bash", args: { command: "rm -rf /" }, phase: "call" },
        { action: "read_file", args: { path: "/tmp/a.txt" }, phase: "call" },
        { action: "send_mail", args: { to: "ann" }, phase: "call" },
      ]
        .map((event) => JSON.stringify(event))
        .join("\n"),
    );
  });

  afterAll(async () => {
    await daemon.stop();
  });

  test("init makes files that only the user can read, and overwrites none of them", async () => {
    for (const name of ["interlock.yaml", "rules/starter.ts", "keys/rules.key"]) {
      expect(statSync(join(place.home, name)).mode & 0o777).toBe(0o600);
    }
    const before = readFileSync(join(place.home, "keys/rules.key"), "utf8");
    const again = await interlock(place, ["init"]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toMatch(
      /^interlock: \S+ exists already; init overwrites nothing: move it away or choose another --home\n$/,
    );
    expect(readFileSync(join(place.home, "keys/rules.key"), "utf8")).toBe(before);
  });

  test("doctor proves that calls are denied", async () => {
    const text = await interlock(place, ["doctor"]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(linesOf(text).at(-1)).toBe("calls are enforced");
    expect(text.stdout).toContain("ok   a call that commands.destructive must block is blocked: bash: BLOCK");
    const json = jsonOf(await interlock(place, ["doctor", "--json"]));
    expect(json.ok).toBe(true);
    expect((json.findings as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true);
  });

  test("status says who serves what", async () => {
    const text = await interlock(place, ["status"]);
    expect(text.code).toBe(0);
    expect(linesOf(text)[0]).toBe(`interlock/1.0.0 is serving at ${place.socket}, process ${daemon.pid}`);
    expect(jsonOf(await interlock(place, ["status", "--json"]))).toMatchObject({
      ok: true,
      pid: daemon.pid,
      status: "serving",
      rules_version: 1,
      reload: { count: 0 },
    });
  });

  test("simulate judges a file of events, as text, as JSON, and from standard input", async () => {
    const text = await interlock(place, ["simulate", "--events", events]);
    expect(text).toMatchObject({ code: 0, stderr: "3 events judged\n" });
    expect(linesOf(text)).toEqual([
      expect.stringMatching(/^1 BLOCK bash: .*\(commands\.destructive\), about command$/),
      expect.stringMatching(/^2 ALLOW read_file/),
      expect.stringMatching(/^3 ESCALATE send_mail/),
    ]);
    const json = await interlock(place, ["simulate", "--events", events, "--json", "--unknown", "block"]);
    const verdicts = linesOf(json).map((line) => (JSON.parse(line) as { verdict: string }).verdict);
    expect(verdicts).toEqual(["BLOCK", "ALLOW", "BLOCK"]);
    const piped = await interlock(place, ["simulate", "--events", "-"], readFileSync(events, "utf8"));
    expect(piped.stdout).toBe(text.stdout);
  });

  test("simulate tells what a candidate would change, and which lines are no events", async () => {
    const candidate = join(place.home, "..", "candidate.ts");
    writeFileSync(candidate, ruleModule(rule("mail", `return block("no mail");`, { actions: ["send_mail"] })));
    const against = await interlock(place, [
      ...["simulate", "--events", events, "--rules", candidate, "--against", "current"],
    ]);
    expect(against.code).toBe(1);
    expect(linesOf(against)).toContain("3 send_mail: ESCALATE becomes BLOCK send_mail: no mail (mail)");
    expect(against.stderr).toBe("3 of 3 events would change\n");
    const same = await interlock(place, ["simulate", "--events", events, "--against", "current"]);
    expect(same).toMatchObject({ code: 0, stdout: "", stderr: "0 of 3 events would change\n" });
    const junk = await interlock(place, ["simulate", "--events", "-"], `{"action":7}\nnot json\n\n`);
    expect(junk).toMatchObject({ code: 1, stderr: "0 events judged; not events: 2\n" });
    expect(linesOf(junk)).toEqual([
      expect.stringMatching(/^1 not an event: /),
      expect.stringMatching(/^2 not an event/),
    ]);
  });

  test("analyze tells every cause, not the first one alone", async () => {
    const event = JSON.stringify({ action: "bash", args: { command: "cat ~/.ssh/id_rsa; rm -rf /" }, phase: "call" });
    const text = await interlock(place, ["analyze", "-"], event);
    expect(text.code).toBe(0);
    const causes = linesOf(text).filter((line) => line.includes(": BLOCK bash:"));
    expect(causes.map((line) => line.trim().split(":")[0])).toEqual([
      "decision",
      "commands.destructive",
      "paths.in-commands",
    ]);
    const json = jsonOf(await interlock(place, ["analyze", "-", "--json"], event));
    expect(json).toMatchObject({
      ok: true,
      decision: { verdict: "BLOCK", policy_id: "commands.destructive" },
    });
  });

  test("what cannot be read is one line and exit code 2", async () => {
    for (const args of [
      ["simulate", "--events", "none.jsonl"],
      ["simulate", "--events", place.home],
      ["analyze", "none.json"],
    ]) {
      const ended = await interlock(place, args);
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toMatch(/^interlock: \S+ cannot be read \((ENOENT|EISDIR)\)\n$/);
    }
    expect(await interlock(place, ["analyze", "-", "--rules", "none.ts"], '{"action":"a","args":{}}')).toMatchObject({
      code: 2,
      stderr: "interlock: rules none.ts cannot be read (ENOENT)\n",
    });
    expect((await interlock(place, ["analyze", "-"], "[]")).stderr).toMatch(/^interlock: - is not an event: [^\n]+\n$/);
    expect(await interlock(place, ["receipts", "show", "x"])).toMatchObject({
      code: 2,
      stderr: `interlock: "x" is not a receipt's number; they begin at 1\n`,
    });
    expect((await interlock(place, ["receipts", "tail", "-n", "x"])).code).toBe(2);
    expect((await interlock(place, ["receipts", "export", "--from", "0"])).code).toBe(2);
    expect((await interlock(place, ["frobnicate"])).code).toBe(2);
    expect((await interlock(place, ["rules", "sign", source, "--not-after", "soon"])).code).toBe(2);
  });

  test("receipts are told, shown, verified and exported", async () => {
    const tail = await interlock(place, ["receipts", "tail", "-n", "3"]);
    expect(linesOf(tail).length).toBe(3);
    expect(tail.stdout).toContain("interlock-doctor");
    const shown = await interlock(place, ["receipts", "show", "1"]);
    expect(shown.stdout).toContain("event: started");
    expect(jsonOf(await interlock(place, ["receipts", "show", "2", "--json"]))).toMatchObject({ receipt: { seq: 2 } });
    const verified = await interlock(place, ["receipts", "verify"]);
    expect(verified.code).toBe(0);
    const head = /^head (\S+)$/m.exec(verified.stdout)?.[1] as string;
    const json = await interlock(place, ["receipts", "verify", "--json", "--expect-head", head]);
    expect(jsonOf(json)).toMatchObject({ whole: true });
    const lines = (await interlock(place, ["receipts", "export"])).stdout;
    writeFileSync(exported, lines);
    expect((await interlock(place, ["receipts", "verify", exported, "--expect-head", head])).code).toBe(0);
    writeFileSync(exported, lines.replace("interlock-doctor", "interlock-patient"));
    const edited = await interlock(place, ["receipts", "verify", exported]);
    expect(edited.code).toBe(1);
    expect(edited.stderr).toMatch(/^interlock: receipt \d+: edited/);
  });

  test("rules are listed, verified, tested, changed, signed and reloaded; doctor sees each state", async () => {
    const list = await interlock(place, ["rules", "list", place.rules]);
    expect(linesOf(list)[0]).toMatch(/^starter version 1, \d+ rules, deadline 1000 ms/);
    expect(
      (jsonOf(await interlock(place, ["rules", "list", place.rules, "--json"])).rules as []).length,
    ).toBeGreaterThan(30);
    expect((await interlock(place, ["rules", "verify", place.rules])).stdout).toMatch(/^starter version 1: signed by /);
    for (const path of [source, place.rules])
      expect((await interlock(place, ["rules", "test", path])).stdout).toMatch(/\d+ examples hold\n$/);

    writeFileSync(source, readFileSync(source, "utf8").replace("version: 1", "version: 2"));
    expect((await interlock(place, ["rules", "sign", source])).code).toBe(0);
    const differs = await interlock(place, ["doctor"]);
    expect(differs.code).toBe(1);
    expect(differs.stderr).toMatch(/FAIL it serves the rule sets that are configured: .*run interlock rules reload/);
    expect(differs.stderr).toContain("calls are NOT enforced as configured");
    expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
    expect((await interlock(place, ["doctor"])).code).toBe(0);
    expect(jsonOf(await interlock(place, ["status", "--json"]))).toMatchObject({ rules_version: 2 });
  });

  test("with the daemon gone, status and doctor say so with exit code 1", async () => {
    await daemon.stop();
    const status = await interlock(place, ["status"]);
    expect(status).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `no answer at ${place.socket}: ENOENT; start interlock-sidecar\n`,
    });
    expect(jsonOf(await interlock(place, ["status", "--json"]))).toMatchObject({ ok: false });
    const doctor = await interlock(place, ["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stderr).toContain(`FAIL the socket is there: ${place.socket} is missing; start interlock-sidecar`);
    expect(jsonOf(await interlock(place, ["doctor", "--json"]))).toMatchObject({ ok: false });
  });
});

describe("init", () => {
  test("that fails takes away what it made, and can be tried again", async () => {
    const place = homeAt(join(shortDirectory(), "home"));
    // Above the root there is nothing: the starter rules refuse it.
    const refused = await interlock(place, ["init", "--root", "~/../elsewhere"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("a folder must be absolute");
    expect(existsSync(place.home)).toBe(false);
    expect((await interlock(place, ["init"])).code).toBe(0);
    expect((await runDaemon(place, ["--check"])).code).toBe(0);
  });

  test("keeps what was in the directory before", async () => {
    const home = shortDirectory();
    writeFileSync(join(home, "mine"), "mine");
    const place = homeAt(home);
    expect((await interlock(place, ["init", "--root", "~/../elsewhere"])).code).toBe(2);
    expect(readdirSync(home)).toEqual(["mine"]);
    mkdirSync(join(home, "keys"), { mode: 0o700 });
    writeFileSync(place.trust, "somebody's key");
    expect((await interlock(place, ["init"])).code).toBe(2);
    expect(readFileSync(place.trust, "utf8")).toBe("somebody's key");
  });

  test("takes relative folders and a relative home as they are meant here", async () => {
    const place = homeAt(shortDirectory());
    const cwd = shortDirectory();
    mkdirSync(join(cwd, "b"));
    const made = await interlock({ env: { HOME: cwd } }, ["init", "--home", "a", "--root", "b"], "", cwd);
    expect(made.code).toBe(0);
    expect(made.stdout).toContain(`next           INTERLOCK_HOME=${cwd}/a interlock-sidecar`);
    expect(readFileSync(join(cwd, "a/rules/starter.ts"), "utf8")).toContain(JSON.stringify([join(cwd, "b")]));
    expect(readFileSync(join(cwd, "a/interlock.yaml"), "utf8")).toContain(`socket: "${join(cwd, "a/guard.sock")}"`);
    const path = join(place.home, "file");
    writeFileSync(path, "");
    const below = await interlock(place, ["init", "--home", join(path, "home")]);
    expect(below).toMatchObject({ code: 2 });
    expect(below.stderr).toMatch(/^interlock: \S+ cannot be made \(ENOTDIR\); choose another --home\n$/);
  });
});

describe("doctor", () => {
  const blocksAnonymous = `{
    id: "named", actions: ["named"], phase: "call",
    evaluate: (event) => event.principal === null ? block("say who you are") : allow(),
    examples: [{ event: { action: "named", args: {} }, expect: "block" }],
  }`;
  const blocksResult = `{
    id: "result", actions: ["read"], phase: "result",
    evaluate: (event) => event.args.result === "secret" ? block("is secret") : undefined,
    examples: [{ event: { action: "read", args: { result: "secret" } }, expect: "block" }],
  }`;

  test("puts an example in its rule's phase, and as nobody where only nobody is blocked", async () => {
    const place = await makePlace(ruleModule([blocksAnonymous, blocksResult].join(",\n")));
    const daemon = await startDaemon(place);
    const ended = await interlock(place, ["doctor"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    await daemon.stop();
  });

  test("fails where a rule that must block does not", async () => {
    // Its example holds once, when the daemon starts, and never again.
    const inEngine = `const served = /engine-worker\\.js$/.test(process.argv[1]);`;
    const place = await makePlace(
      ruleModule(plainRule(), { before: `${inEngine} let judged = 0;` }).replace(
        "event.args.bad === true",
        "event.args.bad === true && !(served && judged++ > 0)",
      ),
    );
    const daemon = await startDaemon(place);
    const ended = await interlock(place, ["doctor"]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("FAIL a call that plain must block is blocked: plain: ALLOW");
    expect(ended.stderr).toContain("calls are NOT enforced as configured");
    await daemon.stop();
  });

  test("fails where nothing could be proved, and where others can reach the socket", async () => {
    const place = await makePlace(ruleModule(rule("silent", "return allow();")));
    const daemon = await startDaemon(place);
    expect((await interlock(place, ["doctor"])).stderr).toContain("FAIL some rule has an example that blocks");
    chmodSync(place.socket, 0o666);
    chmodSync(place.home, 0o755);
    const open = await interlock(place, ["doctor"]);
    expect(open.stderr).toContain("FAIL only its owner can reach the socket: mode 666");
    expect(open.stderr).toContain("FAIL only its owner can enter the socket's directory: mode 755");
    await daemon.stop();
  });

  test("fails where the signed rules on disk no longer verify", async () => {
    const place = await makePlace(ruleModule(plainRule()));
    const daemon = await startDaemon(place);
    rmSync(place.rules);
    const ended = await interlock(place, ["doctor"]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("cannot be read (ENOENT)");
    await daemon.stop();
  });
});
