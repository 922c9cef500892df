import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitmentTo } from "../../daemon/ledger/hash.ts";
import { BlockedError } from "../blocked-error.ts";
import { enforceToolCall } from "../index.ts";
import { engineFor, pause, reasonOf, scripted } from "../testing/asking.ts";
import { FallbackFiles, policyOf, reads } from "../testing/fallback-places.ts";
import { answerTo, judging, socketPath, welcome } from "../testing/scripted-daemon.ts";
import { maxSpoolEntries } from "./limits.ts";
import { directoryFor } from "./spool-directory.ts";

const inside = { action: "read_file", args: { path: "/srv/a" } };
const outside = { action: "read_file", args: { path: "/etc/passwd" } };

/** What a spool holds for the daemon at a socket. */
const spooled = (files: FallbackFiles, path: string) => {
  const directory = directoryFor(files.spool, path);
  const names = readdirSync(directory).filter((name) => name.startsWith("decided-"));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
};

const codeOf = async (question: Promise<unknown>): Promise<string | undefined> => {
  const error = await question.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BlockedError)) throw new Error("it was not blocked");
  return error.decision.details?.code;
};

test("while nobody listens a call is decided by the signed policy, told of, counted and kept for the daemon", async () => {
  const files = new FallbackFiles();
  const told: string[] = [];
  const path = socketPath();
  const engine = engineFor(path, files.options({ principal: "acme/a", onFallback: (message) => told.push(message) }));
  const allowed = await engine.evaluate({ ...inside, call_id: "c1" });
  const blocked = await engine.evaluate(outside);
  expect([allowed.verdictName, allowed.policy_id, allowed.details?.code]).toEqual([
    "ALLOW",
    "fallback:reads",
    "decided_offline",
  ]);
  expect(allowed.reason).toMatch(/^allowed by the fallback policy prod@7 \(rule reads\): guard daemon unreachable at /);
  expect([blocked.verdictName, blocked.policy_id]).toEqual(["BLOCK", null]);
  expect(blocked.reason).toMatch(/^blocked by the fallback policy prod@7 \(no rule allows it\): /);
  expect(told).toEqual([`'read_file' was ${allowed.reason}`, `'read_file' was ${blocked.reason}`]);
  expect(engine.fallbacks).toBe(2);
  expect(engine.stats).toMatchObject({ fallbacks: 2, unanswered: 0, answered: 0 });
  const entry = spooled(files, path).find(({ call_id }) => call_id === "c1");
  expect(entry).toMatchObject({
    ...{ action: "read_file", phase: "call", principal: "acme/a", parent_principal: null },
    ...{ verdict: "ALLOW", rule: "reads", policy: "prod@7" },
  });
  expect(Math.abs(entry.at_ms - Date.now())).toBeLessThan(60_000);
  expect(entry.args_commitment).toBe(commitmentTo("arguments", entry.salt, '{"path":"/srv/a"}'));
});

test("no argument's value is in the spool, and nobody else can read it", async () => {
  const files = new FallbackFiles(policyOf([{ id: "all", effect: "allow", actions: ["send"] }]));
  const path = socketPath();
  await engineFor(path, files.options()).evaluate({ action: "send", args: { card: "4111-1111-1111-1111" } });
  const directory = directoryFor(files.spool, path);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) {
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, name), "utf8")).not.toContain("4111");
  }
  expect(readdirSync(directory).length).toBe(2);
});

test("what the arguments were when the call was put is what is decided, whatever became of them since", async () => {
  const files = new FallbackFiles();
  const args = { path: "/srv/a" };
  const question = engineFor(socketPath(), files.options({ grace_ms: 40 })).evaluate({ action: "read_file", args });
  args.path = "/etc/passwd";
  expect((await question).verdictName).toBe("ALLOW");
});

test("however many calls wait when the grace is over, the program goes on in between, and each is decided", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  const engine = engineFor(path, files.options({ grace_ms: 30 }));
  let turns = 0;
  const turning = setInterval(() => turns++, 0);
  const early = Array.from({ length: 60 }, () => engine.evaluate(inside));
  await early[0];
  const before = turns;
  // Who comes while the others are decided waits for a grace of its own.
  const late = engine.evaluate(outside);
  const verdicts = (await Promise.all([...early, late])).map(({ verdictName }) => verdictName);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(before);
  expect(verdicts.filter((verdict) => verdict === "ALLOW").length).toBe(60);
  expect(engine.stats).toMatchObject({ fallbacks: 61, unanswered: 0, pending: 0, waiting: 0 });
  expect(engine.stats.connections).toBeGreaterThan(2);
});

test("a guarded call runs by an allow and is blocked by a block", async () => {
  const files = new FallbackFiles();
  const engine = engineFor(socketPath(), files.options());
  expect(await enforceToolCall("read_file", { path: "/srv/a" }, { engine })).toEqual({ path: "/srv/a" });
  await expect(enforceToolCall("read_file", { path: "/etc/passwd" }, { engine })).rejects.toThrow(
    /^blocked action 'read_file': blocked by the fallback policy prod@7/,
  );
});

describe("blocked, with the code that says why", () => {
  const other = policyOf([reads], { id: "stage" });
  const cases: readonly [code: string, spoil: (files: FallbackFiles) => void][] = [
    ["fallback_missing", ({ file }) => rmSync(file)],
    ["fallback_unreadable", ({ file }) => [rmSync(file), mkdirSync(file)]],
    ["fallback_malformed", ({ file }) => writeFileSync(file, "{")],
    ["fallback_malformed", ({ file }) => writeFileSync(file, Buffer.alloc(1024 * 1024 + 1, 0x20))],
    ["fallback_wrong_key", ({ keyFile }) => writeFileSync(keyFile, otherKey)],
    ["fallback_bad_signature", ({ file }) => writeFileSync(file, readFileSync(file, "utf8").replace("/srv/", "/etc/"))],
    [
      "fallback_expired",
      (files) => files.publish(policyOf([reads], { version: 8, not_after: new Date().toISOString(), created: past })),
    ],
    ["fallback_not_yet_valid", (files) => files.publish(policyOf([reads], { version: 8, not_before: soon }))],
    ["fallback_rolled_back", (files) => files.publish(policyOf([reads], { version: 6 }))],
    ["fallback_rolled_back", (files) => files.publish(policyOf([{ ...reads, id: "other" }]))],
    ["fallback_other_policy", (files) => files.publish(other)],
    ["fallback_key_unusable", ({ keyFile }) => rmSync(keyFile)],
    ["fallback_key_unusable", ({ keyFile }) => writeFileSync(keyFile, "-----BEGIN PRIVATE KEY-----\n")],
  ];
  const past = "2020-01-01T00:00:00.000Z";
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const otherKey = `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n`;
  test.each(cases)("%s", async (code, spoil) => {
    const files = new FallbackFiles();
    const engine = engineFor(socketPath(), files.options());
    expect((await engine.evaluate(inside)).verdictName).toBe("ALLOW");
    spoil(files);
    const question = engine.evaluate(inside);
    expect(await codeOf(question)).toBe(code);
    expect(await reasonOf(question)).toMatch(new RegExp(`^${code}: .*; guard daemon unreachable at `));
    expect(engine.stats).toMatchObject({ fallbacks: 1, unanswered: 1 });
  });
});

test("a policy that is replaced by a newer one is used from then on, without a restart", async () => {
  const files = new FallbackFiles();
  const engine = engineFor(socketPath(), files.options());
  expect((await engine.evaluate(outside)).verdictName).toBe("BLOCK");
  files.publish(policyOf([{ ...reads, where: { path: { prefix: ["/etc/"] } } }], { version: 8 }));
  expect((await engine.evaluate(outside)).verdictName).toBe("ALLOW");
});

test("the version that was used is remembered beyond the process, and by another process that shares the spool", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  await engineFor(path, files.options()).evaluate(inside);
  files.publish(policyOf([reads], { version: 6 }));
  expect(await codeOf(engineFor(path, files.options()).evaluate(inside))).toBe("fallback_rolled_back");
});

test("a memory that is damaged decides nothing", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  const engine = engineFor(path, files.options());
  await engine.evaluate(inside);
  const directory = directoryFor(files.spool, path);
  const seen = readdirSync(directory).find((name) => name.startsWith("seen-")) as string;
  writeFileSync(join(directory, seen), '{"v":1');
  expect(await codeOf(engine.evaluate(inside))).toBe("fallback_spool_unusable");
});

describe("a spool that is not ours alone is not used", () => {
  test.each<[name: string, spoil: (directory: string) => void]>([
    ["others may write it", (directory) => chmodSync(directory, 0o770)],
    ["others may put another in its place", (directory) => chmodSync(dirname(directory), 0o777)],
    [
      "a link is in its place",
      (directory) => {
        rmSync(directory, { recursive: true });
        mkdirSync(`${directory}-other`, { mode: 0o700 });
        symlinkSync(`${directory}-other`, directory);
      },
    ],
    [
      "a file is in its place",
      (directory) => {
        rmSync(directory, { recursive: true });
        writeFileSync(directory, "");
      },
    ],
  ])("%s", async (_name, spoil) => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await engine.evaluate(inside);
    spoil(directoryFor(files.spool, path));
    expect(await codeOf(engine.evaluate(inside))).toBe("fallback_spool_unusable");
  });
});

test("a full spool blocks, and forgets nothing", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  const engine = engineFor(path, files.options());
  await engine.evaluate(inside);
  const directory = directoryFor(files.spool, path);
  for (let at = 1; at < maxSpoolEntries; at++) {
    writeFileSync(join(directory, `decided-${at.toString(16).padStart(32, "0")}.json`), "");
  }
  expect(await codeOf(engine.evaluate(inside))).toBe("fallback_spool_full");
  expect(readdirSync(directory).filter((name) => name.startsWith("decided-")).length).toBe(maxSpoolEntries);
});

test("an onFallback that throws blocks the call, and nothing is kept of it", async () => {
  const files = new FallbackFiles();
  const path = socketPath();
  const onFallback = (): void => {
    throw new Error("no");
  };
  const engine = engineFor(path, files.options({ onFallback }));
  expect(await reasonOf(engine.evaluate(inside))).toMatch(/`onFallback` threw$/);
  expect(engine.fallbacks).toBe(0);
  expect(spooled(files, path)).toEqual([]);
});

describe("decided by nobody but the daemon", () => {
  test("while the mark of a restart stands", async () => {
    const path = socketPath();
    writeFileSync(`${path}.restarting`, "");
    const engine = engineFor(path, new FallbackFiles().options({ grace_ms: 30, timeout: 0.2 }));
    expect(await reasonOf(engine.evaluate(inside))).toMatch(/^guard daemon unreachable/);
    expect(engine.fallbacks).toBe(0);
  });

  test("while the mark of a stop stands, whatever was to become of calls without a daemon", async () => {
    const path = socketPath();
    writeFileSync(`${path}.stopped`, "");
    const degraded = engineFor(path, new FallbackFiles().options());
    const allowing = engineFor(path, { unreachable: "allow", grace_ms: 0, onFallback: () => {} });
    for (const engine of [degraded, allowing]) {
      expect(await reasonOf(engine.evaluate(inside))).toMatch(/everything was stopped before/);
      expect(engine.fallbacks).toBe(0);
    }
    rmSync(`${path}.stopped`);
    expect((await degraded.evaluate(inside)).verdictName).toBe("ALLOW");
  });

  test("while a mark stands beside the socket, also for who was given a link to it", async () => {
    const path = socketPath();
    symlinkSync(path, `${path}.one`);
    symlinkSync(basename(`${path}.one`), `${path}.two`);
    const engine = engineFor(`${path}.two`, new FallbackFiles().options({ grace_ms: 50, timeout: 0.4 }));
    for (const mark of ["restarting", "stopped"]) {
      writeFileSync(`${path}.${mark}`, "");
      await expect(engine.evaluate(inside)).rejects.toThrow(BlockedError);
      rmSync(`${path}.${mark}`);
      // Whatever lies there is one.
      symlinkSync("/nowhere", `${path}.${mark}`);
      await expect(engine.evaluate(inside)).rejects.toThrow(BlockedError);
      rmSync(`${path}.${mark}`);
    }
    expect(engine.fallbacks).toBe(0);
    expect((await engine.evaluate(inside)).verdictName).toBe("ALLOW");
  });

  test("nor what a daemon would not read", async () => {
    const files = new FallbackFiles();
    const question = engineFor(socketPath(), files.options()).evaluate({ ...inside, call_id: "" });
    expect(await reasonOf(question)).toMatch(/the call id is empty$/);
  });

  test("and where its path is not absolute no such engine is made: elsewhere it would be another", () => {
    const options = new FallbackFiles().options();
    expect(() => engineFor("guard.sock", options)).toThrow(/the socket's path is absolute/);
    expect(() => engineFor("guard.sock", { unreachable: "allow" })).toThrow(/the socket's path is absolute/);
    expect(engineFor("guard.sock", {}).path).toBe("guard.sock");
  });

  test("where a daemon answers badly", async () => {
    const daemon = await scripted(async (peer) => {
      await welcome(peer);
      await peer.line();
      peer.send("no json\n");
    });
    const engine = engineFor(daemon.path, new FallbackFiles().options());
    expect(await reasonOf(engine.evaluate(inside))).toMatch(/^guard daemon refused the request/);
    expect(engine.fallbacks).toBe(0);
  });

  test("where a daemon does not answer at all", async () => {
    const daemon = await scripted(async (peer) => {
      await welcome(peer);
    });
    const engine = engineFor(daemon.path, new FallbackFiles().options({ timeout: 0.2 }));
    expect(await reasonOf(engine.evaluate(inside))).toMatch(/no reply within/);
    expect(engine.fallbacks).toBe(0);
  });

  test("where a daemon has seen the call and ended", async () => {
    const daemon = await scripted(async (peer) => {
      await welcome(peer);
      await peer.line();
      void daemon.stop();
    });
    const engine = engineFor(daemon.path, new FallbackFiles().options({ grace_ms: 50 }));
    expect(await reasonOf(engine.evaluate(inside))).toMatch(/unreachable|refused/);
    expect(engine.fallbacks).toBe(0);
  });

  test("what concerns a transaction", async () => {
    const engine = engineFor(socketPath(), new FallbackFiles().options());
    expect(await reasonOf(engine.outcome({ call_id: "c", status: "failed", error_type: null }))).toMatch(/unreachable/);
    expect(await reasonOf(engine.resume("ap_1", { callId: "c" }))).toMatch(/unreachable/);
    expect(engine.fallbacks).toBe(0);
  });
});

describe("when the daemon is back", () => {
  const features = ["call_id", "details", "escalate", "escape", "offline", "replace_args", "replay", "resend"];

  /** Takes what it is told, and judges everything else. */
  const taking =
    (takes: (decisions: readonly object[]) => object | null, agreed: readonly string[] = features) =>
    async (peer: Parameters<Parameters<typeof scripted>[0]>[0]): Promise<void> => {
      await welcome(peer, agreed);
      for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
        const fields = frame.offline === undefined ? {} : takes(frame.offline.decisions);
        if (fields === null) peer.socket.destroy();
        else peer.send(answerTo(frame.id, fields));
      }
    };

  const untilEmpty = async (files: FallbackFiles, path: string): Promise<void> => {
    for (let at = 0; at < 100 && spooled(files, path).length > 0; at++) await pause(20);
  };

  test("it is told what was decided without it, and the spool is empty then", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await engine.evaluate(inside);
    await engine.evaluate(outside);
    const kept = spooled(files, path);
    const told: object[] = [];
    await scripted(
      taking((decisions) => {
        told.push(...decisions);
        return {};
      }),
      path,
    );
    expect((await engine.evaluate({ action: "ping" })).verdictName).toBe("ALLOW");
    await untilEmpty(files, path);
    expect(spooled(files, path)).toEqual([]);
    expect(told).toEqual(kept);
    await engine.close();
    expect(engine.stats).toMatchObject({ fallbacks: 2, fallbacksTold: 2, answered: 1, unanswered: 0 });
  });

  test("more than fit one frame are told in several", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await Promise.all(Array.from({ length: 70 }, () => engine.evaluate(inside)));
    const sizes: number[] = [];
    await scripted(
      taking((decisions) => {
        sizes.push(decisions.length);
        return {};
      }),
      path,
    );
    await engine.evaluate({ action: "ping" });
    await untilEmpty(files, path);
    expect(sizes).toEqual([64, 6]);
  });

  test("what it could not record, or did not answer, stays and is told again", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await engine.evaluate(inside);
    const told: unknown[] = [];
    const answers = [{ verdict: 1, reason: "the receipt could not be made durable" }, null, {}];
    const script = taking((decisions) => {
      told.push(decisions);
      return answers[told.length - 1] as object | null;
    });
    let daemon = await scripted(script, path);
    await engine.evaluate({ action: "ping" });
    await pause(50);
    expect(spooled(files, path).length).toBe(1);
    await daemon.stop();
    daemon = await scripted(script, path);
    await engine.evaluate({ action: "ping" });
    await untilEmpty(files, path);
    expect(told.length).toBe(3);
    expect(new Set(told.map((decisions) => JSON.stringify(decisions))).size).toBe(1);
  });

  test("what a process that ended left behind is told by the next one", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    await engineFor(path, files.options()).evaluate(inside);
    const told: object[] = [];
    await scripted(
      taking((decisions) => {
        told.push(...decisions);
        return {};
      }),
      path,
    );
    await engineFor(path, files.options()).evaluate({ action: "ping" });
    await untilEmpty(files, path);
    expect(told.length).toBe(1);
  });

  test("a daemon that does not know the feature is told nothing, and the spool stays", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await engine.evaluate(inside);
    await scripted(
      judging(() => ({})),
      path,
    );
    await engine.evaluate({ action: "ping" });
    await pause(50);
    expect(spooled(files, path).length).toBe(1);
  });

  test("an entry that is damaged is passed over and stays; the others are told", async () => {
    const files = new FallbackFiles();
    const path = socketPath();
    const engine = engineFor(path, files.options());
    await engine.evaluate(inside);
    const bad = join(directoryFor(files.spool, path), `decided-${"0".repeat(32)}.json`);
    writeFileSync(bad, '{"id":');
    const told: object[] = [];
    await scripted(
      taking((decisions) => {
        told.push(...decisions);
        return {};
      }),
      path,
    );
    await engine.evaluate({ action: "ping" });
    await pause(100);
    expect(told.length).toBe(1);
    expect(readdirSync(directoryFor(files.spool, path)).filter((name) => name.startsWith("decided-")).length).toBe(1);
  });

  test("what was decided in one daemon's place is not told to another", async () => {
    const files = new FallbackFiles();
    await engineFor(socketPath(), files.options()).evaluate(inside);
    const told: object[] = [];
    const daemon = await scripted(
      taking((decisions) => {
        told.push(...decisions);
        return {};
      }),
    );
    await engineFor(daemon.path, files.options()).evaluate({ action: "ping" });
    await pause(50);
    expect(told).toEqual([]);
  });
});
