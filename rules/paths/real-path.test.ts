import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type StandardOptions, standardPacks } from "interlock/rules/packs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DefinedRule } from "../authoring.ts";
import { realPath, realPaths } from "./real-path.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "interlock-real-path-")));
  mkdirSync(join(folder, "root/sub"), { recursive: true });
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/secret.txt"), "");
  writeFileSync(join(folder, "root/a.txt"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

const ruleOf = (id: string, options: StandardOptions): DefinedRule => {
  const found = standardPacks(options).rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return found;
};
const filesUnderRoot = (options: StandardOptions): DefinedRule => ruleOf("paths.roots", options);
const secretFiles = (): DefinedRule => ruleOf("paths.protected", { roots: ["/srv"] });

const answer = async (rule: DefinedRule, args: Record<string, string>): Promise<string | undefined> => {
  const event = { action: "write_file", args, phase: "call", principal: null, parent_principal: null } as const;
  return (await rule.evaluate({ ...event, span_id: null, ts: 0 }, { now_ms: 0, lookup: async () => undefined }))?.kind;
};

describe("the path that the kernel would reach", () => {
  const root = (): string => join(folder, "root");
  const judge = (path: string): Promise<string | undefined> => answer(filesUnderRoot({ roots: [root()] }), { path });

  it.each([
    ["a file", "a.txt"],
    ["a file that does not exist yet", "sub/new/deep.txt"],
    ["dots and double slashes", "./sub//.././a.txt"],
  ])("allows %s inside", async (_what, path) => expect(await judge(`${root()}/${path}`)).toBe("allow"));

  it("blocks through a relative link that leaves the folder, which was made a moment ago", async () => {
    symlinkSync("../outside", join(root(), "l"));
    expect(await judge(join(root(), "l/x"))).toBe("block");
    expect(await judge(join(root(), "l"))).toBe("block");
  });

  it("blocks through a link to what does not exist yet", async () => {
    symlinkSync("../outside/new.txt", join(root(), "l"));
    expect(await judge(join(root(), "l"))).toBe("block");
  });

  it("blocks through a chain of links, and through a link to a link's parent", async () => {
    symlinkSync("l2", join(root(), "l1"));
    symlinkSync(join(folder, "outside"), join(root(), "l2"));
    expect(await judge(join(root(), "l1/secret.txt"))).toBe("block");
    // `l3/..` is the parent of where l3 leads, not the folder that holds l3.
    symlinkSync(join(folder, "outside"), join(root(), "l3"));
    expect(await judge(`${root()}/l3/../outside/secret.txt`)).toBe("block");
  });

  it("blocks what only one of the two readings of .. keeps inside", async () => {
    mkdirSync(join(folder, "root/sub/deep"));
    symlinkSync("sub/deep", join(root(), "l"));
    // The kernel: root/sub/deep/../../a.txt is root/a.txt. By the text alone: folder/a.txt.
    expect(realPaths(`${root()}/l/../../a.txt`, null)).toEqual([join(root(), "a.txt"), join(folder, "a.txt")]);
    expect(await judge(`${root()}/l/../../a.txt`)).toBe("block");
  });

  it("allows through links that stay inside, and a root that is itself a link", async () => {
    symlinkSync("sub", join(root(), "l"));
    expect(await judge(join(root(), "l/x"))).toBe("allow");
    symlinkSync(root(), join(folder, "alias"));
    expect(await answer(filesUnderRoot({ roots: [join(folder, "alias")] }), { path: join(root(), "a.txt") })).toBe(
      "allow",
    );
    expect(await judge(join(folder, "alias/a.txt"))).toBe("allow");
  });

  it("blocks a loop of links", async () => {
    symlinkSync("b", join(root(), "a"));
    symlinkSync("a", join(root(), "b"));
    expect(realPath(join(root(), "a"), null)).toBeNull();
    expect(await judge(join(root(), "a"))).toBe("block");
  });

  it("judges both ends of a move", async () => {
    const rule = filesUnderRoot({ roots: [root()] });
    const inside = join(root(), "a.txt");
    expect(await answer(rule, { source: inside, destination: join(root(), "b.txt") })).toBe("allow");
    expect(await answer(rule, { source: inside, destination: join(folder, "outside/b.txt") })).toBe("block");
    expect(await answer(rule, { source: join(folder, "outside/secret.txt"), destination: inside })).toBe("block");
  });

  it("takes a relative path from the named directory only", async () => {
    expect(await answer(filesUnderRoot({ roots: [root()], directory: root() }), { path: "sub/x" })).toBe("allow");
    expect(await answer(filesUnderRoot({ roots: [root()], directory: root() }), { path: "../x" })).toBe("block");
    expect(await judge("sub/x")).toBe("block");
  });

  it.each([
    `/proc/self/${"root"}/etc/passwd`,
    "/proc/1/cwd",
    "/PROC/self/environ",
    "/dev/fd/3",
    "a\0b",
    "",
    " /etc",
    '"/etc"',
    "~root",
    "file://host/etc",
    "file:%",
  ])("cannot be said of %j", (text) => expect(realPath(text, "/srv")).toBeNull());

  it("expands ~ and file URLs, escapes included", () => {
    const home = realpathSync(homedir());
    expect(realPath("~/interlock-none", null)).toBe(join(home, "interlock-none"));
    expect(realPath("file:///interlock%2Dnone/x", null)).toBe("/interlock-none/x");
    expect(realPath("FILE:///interlock-none/../y", null)).toBe("/y");
  });

  it("finds a secret behind a harmless name", async () => {
    writeFileSync(join(root(), ".env"), "");
    symlinkSync(".env", join(root(), "notes.txt"));
    expect(await answer(secretFiles(), { path: join(root(), "notes.txt") })).toBe("block");
    expect(await answer(secretFiles(), { path: join(root(), "a.txt") })).toBeUndefined();
  });

  it("is what realpath(3) says, for every path that exists in a random tree of links", () => {
    const names = fc.constantFrom("a", "b", "c", "..", ".", "");
    const link = fc.record({
      at: fc.constantFrom("a", "b", "a/c", "b/c"),
      to: fc.array(names, { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(link, { maxLength: 4 }), fc.array(names, { maxLength: 6 }), (links, path) => {
        const tree = mkdtempSync(join(folder, "tree-"));
        for (const name of ["a", "b"]) mkdirSync(join(tree, name, "d"), { recursive: true });
        for (const { at, to } of links) {
          try {
            symlinkSync(to.join("/") || ".", join(tree, `${at}.l`));
          } catch {
            // The same link twice.
          }
        }
        const text = `${tree}/${path.map((step) => (step === "c" ? "a/c.l" : step)).join("/")}`;
        let expected: string | undefined;
        try {
          expected = realpathSync.native(text);
        } catch {
          return;
        }
        expect(realPath(text, null)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});
