import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { interlock } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { program } from "../kit/programs.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

/** Types lines into a command that has a terminal of its own, each after what it asks; prints what the terminal showed, ends as the command does. */
const typing = `
import os, pty, sys
question, lines, command = sys.argv[1].encode(), sys.argv[2].split(","), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
shown, asked = b"", 0
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if part == b"":
        break
    shown += part
    if shown.count(question) > asked and asked < len(lines):
        asked = shown.count(question)
        os.write(terminal, lines[asked - 1].encode() + b"\\r")
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

const typed = (place: Place, lines: readonly string[], args: readonly string[]) => {
  const command = [process.execPath, program("interlock"), ...args];
  const { status, stdout, error } = spawnSync("python3", ["-c", typing, "passphrase of", lines.join(","), ...command], {
    env: { ...place.env, PATH: process.env.PATH },
    encoding: "utf8",
    timeout: 60_000,
  });
  if (error !== undefined) throw new Error(`python3 cannot be run (${error.message}): install Python 3.9 or newer`);
  return { status, shown: stdout };
};

test("a passphrase is asked for on the terminal and not shown; a wrong one is one line and exit code 2", async () => {
  const place = await makePlace(ruleModule(plainRule()));
  const path = join(place.home, "sealed.key");
  const passphrase = "correct horse battery";
  expect(typed(place, [passphrase, "another horse battery"], ["keygen", path, "--seal"])).toMatchObject({
    status: 2,
    shown: expect.stringContaining("the two passphrases differ"),
  });
  const made = typed(place, [passphrase, passphrase], ["keygen", path, "--seal"]);
  expect(made.status).toBe(0);
  const cosign = ["rules", "cosign", place.rules, "--key", path];
  const wrong = typed(place, ["correct horse batterz"], cosign);
  expect([wrong.status, wrong.shown]).toEqual([2, expect.stringContaining("does not open with this passphrase")]);
  // Erased letters are not part of it.
  const right = typed(place, [`${passphrase}zz\u007f\u007f`], cosign);
  expect([right.status, right.shown]).toEqual([0, expect.stringContaining("cosigned kit version 1")]);
  expect(made.shown + wrong.shown + right.shown).not.toMatch(/horse|batter/);
  const interrupted = typed(place, ["\u0003"], cosign);
  expect([interrupted.status, interrupted.shown]).toEqual([2, expect.stringContaining("no passphrase was given")]);
});

test("without a terminal nobody is asked, and nothing is signed", async () => {
  const place = await makePlace(ruleModule(plainRule()));
  const path = join(place.home, "sealed.key");
  expect(typed(place, ["correct horse battery", "correct horse battery"], ["keygen", path, "--seal"]).status).toBe(0);
  // A session of its own has no terminal.
  const { status, stderr } = spawnSync(
    "setsid",
    ["-w", process.execPath, program("interlock"), "rules", "cosign", place.rules, "--key", path],
    {
      env: { ...place.env, PATH: process.env.PATH },
      encoding: "utf8",
    },
  );
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^the key is sealed and nobody can be asked[^\n]*\n$/)]);
  expect((await interlock(place, ["rules", "verify", place.rules, "--trust", place.trust])).code).toBe(0);
});
