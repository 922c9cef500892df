import { describe, expect, it } from "vitest";
import { runExamples } from "../../../daemon/rulesets/examples.ts";
import { judgeBy, surroundings } from "../../../test/detect/judge.ts";
import { checkRuleSet } from "../../check.ts";
import { commands } from "./index.ts";
import type { CommandsOptions } from "./options.ts";

const around = { ...surroundings, allowHosts: [] };
const starter = commands.tiers.starter as Required<CommandsOptions>;
const strict = commands.tiers.strict as Required<CommandsOptions>;
const ask = async (options: Partial<CommandsOptions>, command: unknown, action = "bash"): Promise<string> => {
  const judge = judgeBy("starter", commands.rules({ ...starter, ...options }, around));
  return (await judge({ action, args: { command: command as string } })).kind;
};

describe("the pack commands", () => {
  it.each([
    ["starter", starter, around],
    ["strict", strict, around],
    ["strict where sudo is blocked", { ...strict, privileges: "block" as const }, around],
    ["starter without a directory", starter, { ...around, directory: null }],
  ])("%s: every example holds", async (_what, options, place) => {
    const set = checkRuleSet({ id: "commands", version: 1, rules: commands.rules(options, place) });
    const outcomes = await runExamples(set, 0);
    expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
  });

  it.each<[string, Partial<CommandsOptions>, string, string]>([
    ["deleteOutsideRoots asks", { deleteOutsideRoots: "escalate" }, "rm -rf /srv/x/y", "escalate"],
    ["deleteOutsideRoots passes, but no system", { deleteOutsideRoots: "pass" }, "rm -rf /etc", "block"],
    ["deleteOutsideRoots passes", { deleteOutsideRoots: "pass" }, "rm -rf /srv/x/y", "silent"],
    ["writeOutsideRoots blocks", { writeOutsideRoots: "block" }, "echo x > /srv/x", "block"],
    ["writeOutsideRoots passes", { writeOutsideRoots: "pass" }, "echo x > /srv/x", "silent"],
    ["gitHistory blocks", { gitHistory: "block" }, "git reset --hard", "block"],
    ["gitHistory passes", { gitHistory: "pass" }, "git push --force", "silent"],
    ["resources passes", { resources: "pass" }, "terraform destroy", "silent"],
    ["opaque blocks", { opaque: "block" }, "$X", "block"],
    ["opaque blocks what cannot be parsed", { opaque: "block" }, "if then", "block"],
    ["privileges asks about every sudo", { privileges: "escalate" }, "sudo apt-get update", "escalate"],
    ["privileges blocks", { privileges: "block" }, "sudo ls", "block"],
    ["privileges lets packages through", { privileges: "root_shells" }, "sudo apt-get update", "silent"],
    ["installFromUrl passes", { installFromUrl: "pass" }, "pip install git+https://github.com/x/y", "silent"],
    ["environment blocks", { environment: "block" }, "printenv", "block"],
    ["environment passes, but no secret by name", { environment: "pass" }, "echo $GITHUB_TOKEN", "escalate"],
    ["persistence blocks", { persistence: "block" }, "echo x | crontab -", "block"],
    ["foreignShells blocks", { foreignShells: "block" }, "powershell -c Start-Process x", "block"],
    ["inlineCode asks", { inlineCode: "escalate" }, "python3 -c 'print(1)'", "escalate"],
  ])("%s", async (_what, options, command, expected) => expect(await ask(options, command)).toBe(expected));

  it.each([
    ["Bash", "rm -rf /", "block"],
    ["mcp__desktop__start_process", "rm -rf /", "block"],
    ["runInTerminal", "rm -rf /", "block"],
    ["PowerShell", "Remove-Item -Recurse -Force C:\\", "block"],
    ["PowerShell", "Get-ChildItem src", "silent"],
    ["powershell", "Start-Process notepad", "escalate"],
    ["execute_sql", "DELETE FROM x WHERE id = 1", "silent"],
    ["write_file", "rm -rf /", "silent"],
  ])("%s with %j: %s", async (action, command, expected) => expect(await ask({}, command, action)).toBe(expected));

  it("reads a list of arguments, and a program with arguments beside it", async () => {
    expect(await ask({}, ["bash", "-lc", "rm -rf /"])).toBe("block");
    expect(await ask({}, ["echo", "$(rm -rf /)"])).toBe("allow");
    const judge = judgeBy("starter", commands.rules(starter, around));
    expect((await judge({ action: "run_command", args: { command: "rm", args: ["-rf", "/"] } })).kind).toBe("block");
  });

  it("names the argument and no word of it", async () => {
    const [rule] = commands.rules(starter, around);
    const event = { action: "bash", args: { cmd: "rm -rf /srv/sekret" }, phase: "call", principal: null } as const;
    const answer = await rule?.evaluate(
      { ...event, parent_principal: null, span_id: null, ts: 0 },
      { now_ms: 0, lookup: async () => undefined },
    );
    expect(answer).toMatchObject({ kind: "block", attributedTo: "cmd" });
    expect(JSON.stringify(answer)).not.toContain("sekret");
  });
});
