import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireValue } from "../../wire/value.ts";
import { answerOf } from "./paths/testing.ts";
import { type StandardOptions, standardPacks } from "./standard.ts";

/** What is known of a command, a file or a text from before must not answer for another one. */

const root = mkdtempSync(join(tmpdir(), "interlock-known-"));
const rulesFor = (options: Partial<StandardOptions> = {}) =>
  standardPacks({ roots: [root], directory: root, ...options }).rules.filter(({ phase }) => phase === "call");
const rules = rulesFor();
const ask = (action: string, args: Record<string, WireValue>, asked = rules) => answerOf(asked, action, args);
const bash = (command: string, more: Record<string, WireValue> = {}) => ask("bash", { command, ...more });

beforeAll(() => {
  mkdirSync(join(root, "notes"));
  writeFileSync(join(root, "notes", "a.txt"), "a");
  mkdirSync(join(root, "keys"));
  writeFileSync(join(root, "keys", ".env"), "A=1");
});
afterAll(() => rmSync(root, { recursive: true }));

describe("a command that was seen before", () => {
  it("is asked about in another folder", async () => {
    const read = "cat id_rsa config";
    expect(await bash("cat notes/a.txt")).toBe("allow");
    expect(await bash("cat config", { cwd: root })).toBe("allow");
    expect(await bash("cat config", { cwd: "/home/user/.ssh" })).not.toBe("allow");
    expect(await bash("cat config", { cwd: root })).toBe("allow");
    expect(await bash(read, { cwd: "/home/user/.ssh" })).not.toBe("allow");
    expect(await bash(read, { cwd: "/home/user/.ssh" })).not.toBe("allow");
  });

  it("is asked about when a link has come to lie in its way, and let through when it is gone", async () => {
    const command = "cat notes/b.txt";
    for (let round = 0; round < 2; round++) {
      expect(await bash(command)).toBe("allow");
      expect(await bash(command)).toBe("allow");
      symlinkSync("/etc/shadow", join(root, "notes", "b.txt"));
      expect(await bash(command)).not.toBe("allow");
      expect(await bash(command)).not.toBe("allow");
      unlinkSync(join(root, "notes", "b.txt"));
    }
  });

  it("is asked about when its folder has become a link", async () => {
    const command = "cat later/shadow";
    expect(await bash(command)).toBe("allow");
    symlinkSync("/etc", join(root, "later"));
    expect(await bash(command)).not.toBe("allow");
    unlinkSync(join(root, "later"));
    expect(await bash(command)).toBe("allow");
  });

  it("is asked about when its folder has come to hold a key", async () => {
    const command = "grep -rn needle notes";
    expect(await bash(command)).toBe("allow");
    writeFileSync(join(root, "notes", ".env"), "A=1");
    expect(await bash(command)).not.toBe("allow");
    rmSync(join(root, "notes", ".env"));
    expect(await bash(command)).toBe("allow");
    expect(await bash("grep -rn needle keys")).not.toBe("allow");
  });

  it("is judged by the options of the rules that are asked", async () => {
    const lenient = rulesFor({ packs: { commands: { gitHistory: "pass" } } });
    const strict = rulesFor({ tier: "strict" });
    const args = { command: "git push --force" };
    for (let round = 0; round < 2; round++) {
      expect(await ask("bash", args, lenient)).toBeUndefined();
      expect(await ask("bash", args, strict)).toBe("block");
      expect(await ask("bash", args)).toBe("escalate");
    }
  });

  it("is judged by the roots of the rules that are asked", async () => {
    const here = rulesFor({ roots: ["/srv/app"], directory: "/srv/app" });
    const elsewhere = rulesFor({ roots: ["/srv/other"], directory: "/srv/other" });
    const args = { command: "rm -rf /srv/app/build" };
    for (let round = 0; round < 2; round++) {
      expect(await ask("bash", args, here)).toBe("allow");
      expect(await ask("bash", args, elsewhere)).toBe("block");
    }
  });

  it("says in which argument it stands this time", async () => {
    const held = rules.find(({ id }) => id === "commands.destructive")!;
    const context = { now_ms: 0, lookup: async () => undefined };
    for (const name of ["command", "cmd"]) {
      const args = Object.freeze({ [name]: "rm -rf /" });
      const event = { action: "bash", args, phase: "call", principal: null, parent_principal: null, span_id: null };
      expect(await held.evaluate({ ...event, ts: 0 } as never, context)).toMatchObject({
        kind: "block",
        attributedTo: name,
      });
    }
  });
});

describe("a text that was seen before", () => {
  const digits = ["3998", "0211", "7742"].join("");

  it("is judged by the name that it has", async () => {
    const value = `hunter${digits}Q`;
    for (let round = 0; round < 2; round++) {
      expect(await ask("http_post", { note: value })).toBeUndefined();
      expect(await ask("http_post", { password: value })).not.toBeUndefined();
    }
  });

  it("is judged by the tool that it goes to", async () => {
    const text = `my card is ${["4111", "1111", "1111", "1111"].join(" ")}`;
    for (let round = 0; round < 2; round++) {
      expect(await ask("write_file", { path: `${root}/notes/a.md`, content: text })).toBe("allow");
      expect(await ask("send_message", { text })).not.toBeUndefined();
    }
  });

  it("is found in the middle of others after it was passed alone, and passed alone after it was found", async () => {
    const card = ["4111", "1111", "1111", "1111"];
    for (let round = 0; round < 2; round++) {
      for (const part of card) expect(await ask("send_message", { text: part })).toBeUndefined();
      expect(await ask("send_message", { text: `my card is ${card.join(" ")}` })).not.toBeUndefined();
    }
  });
});
