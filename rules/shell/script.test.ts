import fc from "fast-check";
import { standardPacks } from "interlock/rules/packs";
import { describe, expect, it } from "vitest";
import type { DefinedRule } from "../authoring.ts";
import { maxCommandCharacters, maxNodes, parseShell } from "./parse.ts";
import { readArguments, readScript } from "./script.ts";
import { operator, type StatementNode } from "./tree.ts";

const names = async (text: string): Promise<readonly string[]> => [
  ...new Set((await readScript(text)).commands.map(({ name }) => name)),
];
const commands = standardPacks({ roots: ["/srv"] }).rules.filter(({ id }) => id.startsWith("commands."));
/** A block of any rule, else the first question; what is allowed or passed over in silence is nothing. */
const evaluate = async (by: readonly DefinedRule[], command: string): Promise<string | undefined> => {
  const event = { action: "bash", args: { command }, phase: "call", principal: null, parent_principal: null } as const;
  const kinds: (string | undefined)[] = [];
  for (const rule of by)
    kinds.push(
      (await rule.evaluate({ ...event, span_id: null, ts: 0 }, { now_ms: 0, lookup: async () => undefined }))?.kind,
    );
  return kinds.find((kind) => kind === "block") ?? kinds.find((kind) => kind === "escalate");
};
const judge = (command: string): Promise<string | undefined> => evaluate(commands, command);

describe("a script", () => {
  it.each([
    ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ['a "$(b `c`)" <(d) >(e)', ["a", "b", "c", "d", "e"]],
    ["X=$(a) Y=`b` c", ["c", "a", "b"]],
    ["if a; then b; else c; fi; while d; do e; done; case $(f) in x) g;; esac", ["a", "b", "c", "d", "e", "f", "g"]],
    ["cat <<E\n$(a)\nE", ["cat", "a"]],
    ["cat <<'E'\n$(a)\nE", ["cat"]],
    [`echo $(( $(a) + 1 )) \${x:-$(b)}`, ["echo", "a", "b"]],
    ["sudo -u x env A=1 timeout -k 1 5 nice -n 3 a b", ["sudo", "env", "timeout", "nice", "a"]],
    ["find . -name x -exec a {} \\; -execdir b {} +", ["find", "a", "b"]],
    ["sh -c 'a; bash -c \"b\"'", ["sh", "a", "bash", "b"]],
    ["xargs -I {} -n 1 a {}", ["xargs", "a"]],
    ["/usr/bin/A", ["a"]],
    ["ssh -p 22 host 'a; b'", ["ssh", "a", "b"]],
    ["command -v rm", ["command"]],
  ])("%j runs %j", async (text, expected) => expect([...(await names(text))].sort()).toEqual([...expected].sort()));

  it("knows where a command runs, within its subshell", async () => {
    const { commands } = await readScript("cd /a; (cd b; x); y");
    const at = (name: string) => commands.find((command) => command.name === name)!.directories;
    expect(at("x")).toContain("/a/b");
    expect(at("y")).toContain("/a");
    expect(at("y")).not.toContain("/a/b");
  });

  it("resolves quotes and escapes, and marks what only the shell knows", async () => {
    const { commands } = await readScript("a r'm'\"x\" \\y $'\\x41\\102\\u0043' \"$Q\" $HOME/z {p,q} 'q*'");
    expect(commands[0]!.args.map(({ text }) => text)).toEqual(["rmx", "y", "ABC", "\0", "~/z", "p", "q", "q*"]);
  });

  it("reads an argument list without a shell's eyes", async () => {
    expect((await readArguments(["echo", "$(rm -rf /)", "; rm"])).commands.map(({ name }) => name)).toEqual(["echo"]);
    expect((await readArguments(["env", "sh", "-c", "a | b"])).commands.map(({ name }) => name)).toEqual([
      "env",
      "sh",
      "a",
      "b",
    ]);
  });

  it.each([
    ["that does not parse", "if then"],
    ["that is too long", "a ".repeat(maxCommandCharacters)],
    ["with NUL", "a\0b"],
    ["nested beyond the parser's stack", `${"(".repeat(8_000)}a${")".repeat(8_000)}`],
    ["of scripts within scripts without end", `${"sh -c 'a'; ".repeat(40)}`],
  ])("%s is refused", async (_what, text) => {
    await expect(readScript(text)).rejects.toMatchObject({ name: "Unparseable" });
    expect(await judge(text)).toBe("escalate");
  });

  // Each took from 2 seconds to more than 10 once, and the daemon judges nothing else meanwhile.
  it.each([
    ["of thousands of commands", "a;".repeat(8_000)],
    ["of a pipe of hundreds", `${"a|".repeat(700)}a`],
    ["of a pipe that overflows the stack", `${"a|".repeat(8_000)}a`],
    ["of thousands of words", `cat ${"a ".repeat(8_000)}`],
    ["of thousands of redirections", `a ${">b ".repeat(5_000)}`],
    ["of thousands of substitutions", "$(a)".repeat(4_000)],
    ["of functions within functions", `${"f(){ f;".repeat(300)}a${";}".repeat(300)}`],
    ["that env splits a thousand times", `env ${"-S ".repeat(1_900)}`],
    ["that watch reads again and again", "watch ".repeat(900)],
  ])("%s is refused before it is read", async (_what, text) => {
    const before = process.cpuUsage();
    await expect(readScript(text)).rejects.toMatchObject({ name: "Unparseable" });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it.each([
    ["too long", ["cat", ..."a".repeat(maxCommandCharacters), "b".repeat(maxCommandCharacters + 1)]],
    ["of too many", ["env", ...new Array<string>(maxNodes).fill("-S")]],
    ["that becomes too many scripts", ["env", ...new Array<string>(100).fill("-S"), "a"]],
  ])("an argument list %s is refused", async (_what, argv) => {
    await expect(readArguments(argv)).rejects.toMatchObject({ name: "Unparseable" });
  });

  it.each([
    ["places", `${"cd a;".repeat(20)}${"env ".repeat(60)}cat ${"a:".repeat(7_900)}`],
    ["patterns", `cat ${"a*/".repeat(5_000)}`],
    ["stars", `rm -rf ${"/*".repeat(8_000)}`],
  ])("thousands of %s in one word are judged at once", async (_what, command) => {
    await judge("true");
    const before = process.cpuUsage();
    await evaluate(standardPacks({ roots: ["/srv"] }).rules, command);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it("leaves errors their short stacks", async () => {
    const { stackTraceLimit } = Error;
    await judge("true");
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(Error.stackTraceLimit).toBeLessThan(1_000);
  });

  it("has the parser's numbers for its operators", async () => {
    const first = async (text: string): Promise<StatementNode> => (await parseShell(text)).Stmts[0] as StatementNode;
    for (const text of ["a > b", "a >> b", "a <> b", "a >& b", "a >| b", "a &> b", "a &>> b"])
      expect(operator.writing).toContain((await first(text)).Redirs[0]?.Op);
    for (const text of ["a <<b\nb", "a <<-b\nb"])
      expect(operator.hereDocument).toContain((await first(text)).Redirs[0]?.Op);
    expect((await first("a <<< b")).Redirs[0]?.Op).toBe(operator.hereString);
    const op = async (text: string): Promise<number> =>
      ((await first(text)).Cmd as unknown as { readonly Op: number }).Op;
    expect([await op("a | b"), await op("a |& b"), await op("a && b"), await op("a || b")]).toEqual([
      operator.pipe,
      operator.pipeAll,
      operator.and,
      operator.or,
    ]);
    for (const sign of ["-", ":-", "=", ":="])
      expect(operator.defaults).toContain(
        Number(/"Op":(\d+)/.exec(JSON.stringify(await first(`a $\{x${sign}y}`)))?.[1]),
      );
  });
});

describe("rm -rf / is blocked", () => {
  const wrap = fc.constantFrom(
    (inner: string) => `( ${inner} )`,
    (inner: string) => `{ ${inner}; }`,
    (inner: string) => `true && ${inner}`,
    (inner: string) => `echo "$( ${inner})"`,
    (inner: string) => `cat <( ${inner})`,
    (inner: string) => `if true; then ${inner}; fi`,
    (inner: string) => `for x in 1; do ${inner}; done`,
    (inner: string) => `f() { ${inner}; }; f`,
    (inner: string) => `X=$( ${inner}) npm --version`,
    (inner: string) => `sh -c ${quoted(inner)}`,
    (inner: string) => `sudo timeout 5 bash -lc ${quoted(inner)}`,
    (inner: string) => `eval ${quoted(inner)}`,
    (inner: string) => `ls | ${inner}`,
    (inner: string) => `{ ! { ${inner}; }; }`,
    (inner: string) => `time ${inner}`,
  );
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

  it("inside any nesting of constructs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wrap, { maxLength: 4 }), async (wraps) => {
        const command = wraps.reduce((inner, wrapping) => wrapping(inner), "rm -rf /");
        expect(await judge(command)).toBe("block");
      }),
      { numRuns: 60 },
    );
  });

  it("never throws, whatever the text", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 60 }), async (text) => {
        expect([undefined, "block", "escalate"]).toContain(await judge(text));
      }),
      { numRuns: 200 },
    );
  });
});
