import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runDocument } from "./run-document.ts";

const block = (info: string, ...lines: string[]): string => `\`\`\`${info}\n${lines.join("\n")}\n\`\`\`\n`;

describe("a document", () => {
  it("runs its commands in order in one folder and one shell", async () => {
    await runDocument(
      block(
        "console",
        "$ mkdir deep && cd deep && export NAME=value",
        '$ echo "$NAME" >file',
        "$ pwd",
        "<folder>/deep",
      ) + block("console", "$ cat file; echo problem >&2", "value", "problem"),
    );
  });

  it("writes named files, which commands and later files can use", async () => {
    await runDocument(
      block("json file=data/a.json", '{"a": 1}') +
        block("yaml file=b.yaml", "b: 2") +
        block("ts file=lib.ts", "export const three: number = 3;") +
        block("ts file=app.ts", 'import { three } from "./lib.ts";', "console.log(three);") +
        block(
          "js file=run.js",
          'import { readFileSync } from "node:fs";',
          'console.log(readFileSync("b.yaml", "utf8"));',
        ) +
        block("console", "$ cat data/a.json", '{"a": 1}', "$ node run.js", "b: 2", "$ npx tsx app.ts", "3"),
    );
  });

  it("has a home, a runtime folder and a temporary folder of its own", async () => {
    await runDocument(
      block(
        "console",
        '$ for path in "$HOME" "$XDG_RUNTIME_DIR" "$TMPDIR"; do ls -A "$path"; done',
        '$ cd "$HOME"; pwd',
        "<base>/home",
      ),
    );
  });

  it("waits for a background command to listen, and ends it", async () => {
    // A folder of its own: other runs make and remove theirs meanwhile.
    const own = mkdtempSync(join(tmpdir(), "ilt-"));
    vi.stubEnv("TMPDIR", own);
    const server =
      'import { createServer } from "node:net"; createServer().listen("s", () => console.error("listening on s"));';
    await runDocument(
      block("js file=server.js", server) +
        block("console", "$ node server.js &", "$ echo $! >pid; test -S s && echo served", "served") +
        block("console", `$ cp pid ${own}/interlock-docs-test-pid-${process.pid}`),
    );
    const pidFile = `${own}/interlock-docs-test-pid-${process.pid}`;
    const pid = readFileSync(pidFile, "utf8").trim();
    rmSync(pidFile);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(readdirSync(own)).toEqual([]);
    vi.unstubAllEnvs();
    rmSync(own, { recursive: true });
  });

  it("matches what a background command printed with what is shown", async () => {
    await runDocument(block("console", "$ { echo ready on 7; sleep 60; } &", "ready on <port>", "$ echo next", "next"));
  });

  it("takes the exit code it names", async () => {
    await runDocument(block("console exit=3", "$ true", "$ exit_with() { return 3; }; exit_with"));
  });
});

describe("a document is refused, by line, for", () => {
  it.each([
    ["a language the runner does not know", block("ruby", "1"), "line 1: a block is one of console, ts, js"],
    ["a block without a language", `text\n${block("", "1")}`, "line 2: a block is one of"],
    [
      "a setting the language does not have",
      block("console file=a", "$ ls"),
      "line 1: a console block has no setting file",
    ],
    ["a file outside of its folder", block("json file=../a.json", "{}"), "file=../a.json leaves the document's folder"],
    ["output that differs", block("console", "$ echo one", "two"), "line 2: $ echo one\nprinted:\none"],
    ["output that is not shown", block("console", "$ echo one"), "the document shows:"],
    ["a command that fails", block("console", "$ false"), "line 2: $ false\nended with code 1, not 0"],
    ["a command that does not fail", block("console exit=1", "$ true"), "ended with code 0, not 1"],
    ["a command with a broken quote", block("console", "$ echo 'a"), "ended with code"],
    [
      "types that do not hold",
      block("ts", 'const a: number = "b";', "export { a };"),
      "line 1: the ts block is refused: block-1.ts(1,7)",
    ],
    ["JavaScript that does not parse", block("js", "const = 1;"), "line 1: the js block is refused"],
    ["Python that does not compile", block("py", "def f(:"), "line 1: the py block is refused"],
    ["JSON that does not parse", block("json", "{"), "line 1: the json block is refused"],
    ["one line of JSON that does not parse", block("jsonl", "{}", "{"), "line 1: the jsonl block is refused"],
    ["YAML that does not parse", block("yaml", "a: [1"), "line 1: the yaml block is refused"],
  ])("%s", async (_, markdown, words) => {
    await expect(runDocument(markdown)).rejects.toThrow(words);
  });
});
