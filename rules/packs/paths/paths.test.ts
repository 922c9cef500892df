import { RuleDefinitionError } from "interlock/rules";
import { describe, expect, it } from "vitest";
import { runExamples } from "../../../daemon/rulesets/examples.ts";
import type { WireValue } from "../../../wire/value.ts";
import type { DefinedRule } from "../../authoring.ts";
import { checkRuleSet } from "../../check.ts";
import { answerOf, pathRules } from "./testing.ts";

const failures = async (rules: readonly DefinedRule[]): Promise<readonly string[]> => {
  const set = checkRuleSet({ id: "paths", version: 1, rules });
  return (await runExamples(set, 0)).flatMap(({ rule, place, failure }) => {
    const example = set.rules.find(({ id }) => id === rule)?.examples[place - 1];
    return failure === null ? [] : [`${rule}: ${failure}: ${JSON.stringify(example?.event.args)}`];
  });
};

describe("the rules of the pack", () => {
  it.each([
    ["starter", pathRules()],
    ["strict", pathRules({ tier: "strict" })],
    ["several roots", pathRules({ roots: ["/srv/a", "/srv/b/"], directory: "/srv/a" })],
    ["a root below the home", pathRules({ roots: ["~/project"] })],
    ["a root that holds the usual outsiders", pathRules({ roots: ["/etc", "/usr"] })],
    ["escalation outside", pathRules({ packs: { paths: { outsideRoots: "escalate" } } })],
  ])("have examples that hold: %s", async (_what, rules) => expect(await failures(rules)).toEqual([]));

  it.each([
    ["no roots", { roots: [] }],
    ["the root /", { roots: ["/"] }],
    ["the root //", { roots: ["//"] }],
    ["a relative root", { roots: ["project"] }],
    ["a root with ..", { roots: ["/srv/.."] }],
    ["a relative directory", { directory: "app" }],
  ])("are refused with %s", (_what, options) => expect(() => pathRules(options)).toThrow(RuleDefinitionError));
});

describe("options", () => {
  const withOptions = (paths: object) => pathRules({ packs: { paths } });

  it("readRoots may be wider than writeRoots", async () => {
    const rules = withOptions({ readRoots: ["/srv/app", "/usr/share/doc"] });
    expect(await answerOf(rules, "read_file", { path: "/usr/share/doc/x" })).toBe("allow");
    expect(await answerOf(rules, "write_file", { path: "/usr/share/doc/x", content: "" })).toBe("block");
    expect(await answerOf(rules, "fs.open", { path: "/usr/share/doc/x", flags: "r" })).toBe("allow");
    expect(await answerOf(rules, "fs.open", { path: "/usr/share/doc/x", flags: 1 })).toBe("block");
    expect(await answerOf(rules, "copy_file", { source: "/usr/share/doc/x", destination: "/srv/app/x" })).toBe("allow");
    expect(await answerOf(rules, "copy_file", { source: "/srv/app/x", destination: "/usr/share/doc/x" })).toBe("block");
  });

  it("outsideRoots escalates", async () =>
    expect(await answerOf(withOptions({ outsideRoots: "escalate" }), "read_file", { path: "/opt/x" })).toBe(
      "escalate",
    ));

  it("protect adds names and places", async () => {
    const rules = withOptions({ protect: ["*.secret", "/srv/app/private"] });
    expect(await answerOf(rules, "read_file", { path: "a/b.SECRET" })).toBe("block");
    expect(await answerOf(rules, "read_file", { path: "src/../private/x" })).toBe("block");
    expect(await answerOf(rules, "bash", { command: "cat private/x" })).toBe("block");
    expect(await answerOf(rules, "read_file", { path: "src/x" })).toBe("allow");
  });

  it("allow lets one file through, exactly", async () => {
    const rules = withOptions({ allow: ["test/.env"] });
    expect(await answerOf(rules, "read_file", { path: "/srv/app/test/.env" })).toBe("allow");
    expect(await answerOf(rules, "read_file", { path: "test/../.env" })).toBe("block");
    expect(await answerOf(rules, "bash", { command: "cat test/.env" })).toBeUndefined();
    expect(() => pathRules({ directory: undefined as never, packs: { paths: { allow: ["x"] } } })).toThrow(
      RuleDefinitionError,
    );
  });

  it("ciFiles and instructions ask in strict", async () => {
    for (const path of [".github/workflows/ci.yml", "CLAUDE.md"]) {
      expect(await answerOf(pathRules(), "write_file", { path, content: "" })).toBe("allow");
      expect(await answerOf(pathRules({ tier: "strict" }), "write_file", { path, content: "" })).toBe("escalate");
    }
  });
});

describe("what the starter rules knew", () => {
  const rules = pathRules();
  it.each<[string, Record<string, WireValue>]>([
    ["read_file", { input: "/etc/passwd" }],
    ["fs.readFile", { input: "/etc/passwd", positional_args: ["utf8"] }],
    ["read_file", { path: "/srv/app/a", absolute_path: "/etc/passwd" }],
    ["NotebookEdit", { notebook_path: "/etc/passwd" }],
    ["read_file", { path: "/srv/app/\uff0eenv" }],
    ["read_file", { path: "/srv/app/.e\u200bnv" }],
    ["fs.readFile", { path: "notes.txt", resolved_path: "/etc/passwd" }],
    ["fs.readFile", { path: "/srv/app/notes.txt", resolved_path: "/etc/passwd" }],
    ["fs.readFile", { path: "/etc/passwd", resolved_path: "/srv/app/notes.txt" }],
    ["fs.readFile", { path: "notes.txt", resolved_path: "/srv/app/.env" }],
    ["fs.readFile", { path: ".env", resolved_path: "/srv/app/settings" }],
    ["read_file", { path: new TextEncoder().encode("/srv/app/.env") }],
  ])("%s with %j is blocked", async (action, args) => expect(await answerOf(rules, action, args)).toBe("block"));

  it("a relative path is blocked where the directory is not known, but for Node's own functions", async () => {
    const lost = pathRules({ directory: undefined as never });
    expect(await answerOf(lost, "read_file", { path: "notes.txt", resolved_path: "/srv/app/notes.txt" })).toBe("block");
    expect(await answerOf(lost, "fs.rename", { path: "a", resolved_path: "/srv/app/a", dest: "b" })).toBe("block");
    const args = { path: "notes.txt", resolved_path: "/srv/app/notes.txt" };
    expect(await answerOf(lost, "fs.readFile", args)).toBe("allow");
    expect(await answerOf(lost, "fs.rename", { ...args, dest: "old/x", resolved_dest: "/srv/app/old/x" })).toBe(
      "allow",
    );
  });

  it("a tool's own argument `input` is no path", async () =>
    expect(await answerOf(rules, "write_file", { path: "/srv/app/a", input: "/etc/passwd" })).toBe("allow"));

  it("a hundred files are judged", async () =>
    expect(
      await answerOf(rules, "read_multiple_files", { paths: new Array(100).fill("/srv/app/folder/of/sources/a.ts") }),
    ).toBe("allow"));

  it.each<[string, Record<string, WireValue>]>([
    ["more values than are looked through", { values: new Array(1_000_000).fill(0) }],
    ["more keys than are looked through", Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`k${i}`, 0]))],
    ["more paths than are looked through", { paths: new Array(100_000).fill("/srv/app/a") }],
    ["longer paths than are looked up", { paths: new Array(100).fill(`/srv/app/${"a/".repeat(1_000)}`) }],
    ["a path of more parts than are judged", { path: "a/".repeat(300) }],
  ])("%s are held", async (_what, args) => {
    expect(["block", "escalate"]).toContain(await answerOf(rules, "read_file", args));
  });
});

describe("any tool", () => {
  it.each<[string, Record<string, WireValue>, string | undefined]>([
    ["load_document", { location: "~/.ssh/id_rsa" }, "block"],
    ["mcp.read_resource", { uri: "file:///etc/passwd" }, "block"],
    ["frobnicate", { file: "/home/a/.bashrc" }, "escalate"],
    ["show_file", { file: "/home/a/.bashrc" }, undefined],
    ["post", { text: "~/.ssh/id_rsa" }, undefined],
    ["fetch", { url: "https://example.com/.env" }, undefined],
    ["search", { files: "a.ts, .env" }, "block"],
    ["list_directory", { path: "/srv/app/.ssh" }, "escalate"],
  ])("%s with %j: %s", async (action, args, expected) =>
    expect(await answerOf(pathRules(), action, args)).toBe(expected),
  );

  it.each<[string, Record<string, WireValue>, string]>([
    ["apply_patch", { input: "*** Begin Patch\n*** Add File: .git/hooks/pre-commit\n+x\n*** End Patch" }, "block"],
    ["apply_patch", { patch: "--- a/x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b" }, "block"],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch" }, "allow"],
    ["push_files", { files: { ".git/config": "x" } }, "escalate"],
    ["bash", { command: "cat id_rsa", cwd: "/home/a/.ssh" }, "block"],
    ["bash", { command: "cat passwd", cwd: "/etc" }, "block"],
    ["read_file", { cwd: "/etc", path: "shadow" }, "block"],
    ["read_file", { working_directory: "../..", path: "etc/notes" }, "block"],
    ["read_file", { basePath: "/srv/app", path: ".env" }, "block"],
    ["read_file", { cwd: "/srv/app", path: "src/a.ts" }, "allow"],
    ["bash", { command: "python3 -m http.server -d ~" }, "escalate"],
    ["bash", { command: "python3 -m http.server 80 --directory=/etc" }, "escalate"],
    ["bash", { command: "php -S 0.0.0.0:80 -t /etc" }, "escalate"],
    ["bash", { command: "npx serve /" }, "escalate"],
    ["child_process.spawn", { command: "cat", args: ["passwd"], options: { cwd: "/etc" } }, "block"],
  ])("%s with %j: %s", async (action, args, expected) =>
    expect(await answerOf(pathRules(), action, args)).toBe(expected),
  );

  it("never says a path in a reason", async () => {
    for (const rule of pathRules())
      for (const args of [{ path: "/srv/app/.env.secretname" }, { command: "cat /srv/app/.env.secretname" }]) {
        const event = {
          action: "command" in args ? "bash" : "read_file",
          args,
          phase: "call",
          principal: null,
        } as const;
        const answer = await rule.evaluate(
          { ...event, parent_principal: null, span_id: null, ts: 0 },
          { now_ms: 0, lookup: async () => undefined },
        );
        expect(JSON.stringify(answer ?? "")).not.toContain("secretname");
      }
  });
});

describe("a command", () => {
  it.each([
    ["git config core.hooksPath /tmp/h", "escalate"],
    ["git -c core.fsmonitor=/tmp/x status", "escalate"],
    ["git config filter.x.clean /tmp/x", "escalate"],
    ["git config --get core.hooksPath", undefined],
    ["git config user.name x", undefined],
    ["git show HEAD:.env", "block"],
    ["type C:\\Users\\a\\.aws\\credentials", "block"],
    ["find / -name id_rsa", "escalate"],
    ["find . -name '.env*'", undefined],
    ["python3 <<'EOF'\nopen('/etc/shadow')\nEOF", "block"],
    ["cp .env.example .env", undefined],
    ["ssh -i ~/.ssh/deploy host uptime", undefined],
    ["cat ~/.ssh/*.pub", undefined],
    ["rm .git/index.lock", undefined],
    ["rm .git/index", "escalate"],
  ])("%j: %s", async (command, expected) => expect(await answerOf(pathRules(), "bash", { command })).toBe(expected));
});

describe("hostile texts", () => {
  const units = [
    "/",
    "../",
    "%25",
    "%2e%2e%2f",
    "*",
    "{a,",
    "[",
    "\\",
    "....//",
    "~",
    " ",
    ".",
    ".env/",
    "\uff0e\uff0f",
    "a=",
    ".env,",
    "(",
    "@(",
  ];
  it.each(units)("of %j are judged at once, as arguments", async (unit) => {
    const rules = pathRules();
    for (const length of [100_000, 4_000]) {
      const text = unit.repeat(length).slice(0, length);
      for (const name of ["path", "note", "glob", "members"]) {
        const before = process.cpuUsage();
        await answerOf(rules, "fetch_doc", { [name]: text });
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1_000).toBeLessThan(250);
      }
    }
  });

  it.each(units)("of %j are judged at once, in commands", async (unit) => {
    const rules = pathRules();
    await answerOf(rules, "bash", { command: "ls" });
    for (const start of ["cat ", "frobnicate ", "python3 -c '"]) {
      const command = `${start}${unit.repeat(12_000).slice(0, 12_000)}${start.endsWith("'") ? "'" : ""}`;
      const before = process.cpuUsage();
      await answerOf(rules, "bash", { command });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(1_000);
    }
  });
});
