import { describe, expect, it } from "vitest";
import { losesGuard, requireGuarded } from "./loses-guard.ts";
import { optionsStartBeneath } from "./node-flags.ts";

const inherited = { environment: () => ({}), pairs: () => [] };
const of = (...args: string[]) => ({ file: args[0] ?? "", args, cwd: null });

describe("a start that takes the guard from the child", () => {
  it.each([
    [of("env", "-i", "node", "x.js")],
    [of("env", "-", "node")],
    [of("/usr/bin/env", "A=1", "-vi", "node")],
    [of("env", "--ignore-environment", "node")],
    [of("env", "--ignore-e", "node")],
    [of("env", "-C", "/", "-i", "node")],
    [of("env", "--chd", "/", "-u", "HOME", "-i", "node")],
    [of("env", "-u", "NODE_OPTIONS", "node")],
    [of("env", "--unset=INTERLOCK_SOCKET", "node")],
    [of("env", "-S", "-i node x.js")],
    [of("nice", "env", "-i", "node")],
    [of("/bin/sh", "-c", "NODE_OPTIONS= node x.js")],
    [of("/bin/sh", "-c", "true;NODE_OPTIONS='' node x.js")],
    [of("/bin/sh", "-c", "(unset INTERLOCK_SOCKET && node x.js)")],
    [of("/bin/sh", "-c", "true&&env -i node")],
    [of("/bin/sh", "-c", "INTERLOCK_PRINCIPAL=root node")],
    [of("bash", "-c", "exec -c node x.js")],
    [of("bash", "-c", "true; exec -lc node x.js")],
    [of("/bin/sh", "-c", "NODE_COMPILE_CACHE=/x node x.js")],
    [of("su", "-", "root", "-c", "node x.js")],
    [of("/bin/sh", "-c", "/usr/bin/su --login -c 'node x.js'")],
    [of("runuser", "-l", "root", "-c", "node x.js")],
    [of("setpriv", "--reset-env", "node", "x.js")],
    [of("node", "--expose-internals", "x.js")],
    [of("node", "--experimental-config-file=x.json", "x.js")],
    [of("node", "--expose_internals", "x.js")],
    [of("node", "--inspect-wait=0", "x.js")],
    [of("node", "--inspect_brk", "x.js")],
    [of("node", "--test", "--test-isolation=none")],
    [of("node", "--test", "--experimental_test_isolation", "none")],
    [of("node", "--build-snapshot", "x.js")],
    [of("node", "--snapshot_blob=x.blob", "x.js")],
    [of("/bin/sh", "-c", "node --build'-snap'shot x.js")],
    [of("/bin/sh", "-c", 'NODE_"OPT"IONS= node x.js')],
  ])("is told: %j", (plan) => {
    expect(losesGuard(plan)).toMatch(/^(it|Node) /);
  });

  it.each([
    [of("node", "x.js")],
    [of("env", "node", "-i")],
    [of("env", "A=1", "node", "-i")],
    [of("/usr/bin/env")],
    [of("env", "-C", "-i", "node")],
    [of("sh", "-c", "exec node -c x.js")],
    [of("su", "root", "-c", "node x.js")],
    [of("ls", "-l", "su")],
    [of("/bin/sh", "-c", "grep -i env file")],
    [of("/bin/sh", "-c", "environment -i")],
    [of("git", "commit", "-m", "internals -i")],
    [
      of(
        "node",
        "--inspect-publish-uid=stderr,http",
        "--inspect-port=127.0.0.1:9229",
        "--test-isolation=process",
        "x.js",
      ),
    ],
  ])("is not told of what keeps it: %j", (plan) => {
    expect(losesGuard(plan)).toBeNull();
  });

  it("is allowed only by a rewrite that says so: not by silence, not by an allow, not by another rewrite", () => {
    const asked: unknown[] = [];
    const guard = (args: Record<string, unknown> | null) => ({
      askSync: (action: string, shown: unknown) => {
        asked.push([action, shown]);
        return { args };
      },
      ask: () => Promise.reject(new Error("not asked")),
    });
    const plan = of("env", "-i", "node");
    for (const args of [null, {}, { allow: false }, { allow: "true" }, { command: "ls" }]) {
      expect(() => requireGuarded(plan, guard(args), inherited)).toThrow("the child process would lose the guard");
    }
    expect(() => requireGuarded(plan, guard({ allow: true }), inherited)).not.toThrow();
    expect(asked.at(-1)).toEqual([
      "child_process.unguarded",
      { command: "env", args: ["-i", "node"], how: "it clears the environment", allow: false },
    ]);
    asked.length = 0;
    requireGuarded(of("true"), guard(null), inherited);
    expect(asked).toEqual([]);
    // An engine that lives in this process cannot be handed on.
    expect(() => requireGuarded(of("true"), guard(null), null)).toThrow("the engine is of this process only");
    expect(() => requireGuarded(of("true"), guard({ allow: true }), null)).not.toThrow();
  });
});

it("NODE_OPTIONS can name a snapshot, in quotes too", () => {
  for (const text of ["--snapshot-blob x", "--no-warnings --snapshot_blob=x", '"--snap\\shot-blob" x']) {
    expect(optionsStartBeneath(text)).toBe(true);
  }
  expect(optionsStartBeneath('--no-warnings --require "./snapshot-blob.cjs"')).toBe(false);
});
