import { describe, expect, it } from "vitest";
import { readScript } from "./script.ts";

const names = async (line: string): Promise<readonly string[]> =>
  (await readScript(line)).commands.map((one) => one.name);

describe("what programs hand to a shell out of their options", () => {
  it.each([
    ["an editor's command", "vim -c ':!rm a' -c q"],
    ["an editor's command behind a plus", "vim -es +'silent !rm a' +q"],
    ["what an editor reads", "vim -c ':r !rm a'"],
    ["what ed reads", "ed -s <<< '!rm a'"],
    ["sed's e", "sed '1e rm a' f"],
    ["sed's e in an option", "sed -n -e '/x/ e rm a' f"],
    ["a pager's command", "less +'!rm a' f"],
    ["the pager of man", "man -P 'rm a' ls"],
    ["the shell of rsync", "rsync -e 'sh -c \"rm a\"' a b:"],
    ["the output of strace", "strace -o '|rm a' ls"],
    ["git's pager in a setting", "git -c core.pager='rm a' log"],
    ["git's pager in an option", "git grep --open-files-in-pager='rm a' x"],
    ["git's other end", "git clone -u 'rm a' x y"],
    ["a pager in a variable", "PAGER='rm a' git log"],
    ["a filter in a variable", "LESSOPEN='|rm a' less f"],
    ["an editor in a variable that is exported", "export EDITOR='rm a'; git commit"],
    ["a variable that env sets", "env VISUAL='rm a' crontab -e"],
  ])("%s: %s", async (_what, line) => expect(await names(line)).toContain("rm"));

  it.each([
    ["an insisting command", "vim -c ':w!' -c ':q!' f"],
    ["a line", "vim +10 rm"],
    ["an expression with an e", "sed 's/e rm/E/' f"],
    ["a plain program in a variable", "EDITOR=rm git commit"],
    ["a setting of git", "git -c core.pager=cat log"],
  ])("not %s: %s", async (_what, line) => expect(await names(line)).not.toContain("rm"));

  it("a variable that may be a whole command, because the script splits words at its own marks", async () => {
    expect((await readScript("IFS=_; cmd=rm_-rf_/; $cmd")).opaque).toBe(true);
    expect((await readScript("while IFS= read -r line; do echo $line; done")).opaque).toBe(false);
  });
});
