import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shortDirectory } from "../../../test/kit/place.ts";
import { resolvedPath, resolvedTarget } from "./resolved-path.ts";

const home = realpathSync(shortDirectory());
mkdirSync(join(home, "real", "inner"), { recursive: true });
writeFileSync(join(home, "real", "inner", "file"), "");
symlinkSync("real/inner", join(home, "link"));
symlinkSync(join(home, "nothing", "here"), join(home, "dangling"));
symlinkSync("loop", join(home, "loop"));
const file = join(home, "real", "inner", "file");

test.each([
  ["as it is", file, file],
  ["repeated slashes and dots", `${home}//real/./inner/file`, file],
  ["a link in a parent", join(home, "link", "file"), file],
  ["`..` after a link leaves the folder that the link led to", `${home}/link/../inner/file`, file],
  ["`..` above the root", `/../../${file}`, file],
  ["/proc/self/root", `/proc/self/root${file}`, file],
  ["/proc/self/cwd", "/proc/self/cwd/x", join(process.cwd(), "x")],
  ["/proc/thread-self/root", `/proc/thread-self/root${home}/link/new`, join(home, "real/inner/new")],
  ["relative", relative(process.cwd(), file), file],
  ["a file to come, behind a link", join(home, "link", "new", "file"), join(home, "real/inner/new/file")],
  ["a link that leads nowhere", join(home, "dangling"), join(home, "nothing/here")],
  ["a link to itself", join(home, "loop", "x"), join(home, "loop", "x")],
  ["a slash at the end", `${home}/link/`, join(home, "real/inner")],
  ["bytes", Buffer.from(join(home, "link", "file")), file],
])("followed: %s", (_what, path, expected) => {
  expect(resolvedPath(path, "followed")).toBe(expected);
});

test("the last name is kept, its parents are followed", () => {
  expect(resolvedPath(join(home, "link"), "kept")).toBe(join(home, "link"));
  expect(resolvedPath(`${home}/link/../inner`, "kept")).toBe(join(home, "real/inner"));
  expect(resolvedPath(`${home}/link/`, "kept")).toBe(join(home, "real/inner"));
  expect(resolvedPath(`${home}/link/.`, "kept")).toBe(join(home, "real/inner"));
});

test("bytes that are not UTF-8 are not lost on the way", () => {
  const odd = Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0xff, 0xfe])]);
  symlinkSync(file, odd);
  expect(resolvedPath(odd, "followed")).toBe(file);
});

test("a pipe among the descriptors of /proc is the end of the way, and an empty path leads nowhere", () => {
  expect(resolvedPath("/proc/self/fd/1048575/x", "followed")).toMatch(/^\/proc\/\d+\/fd\/1048575\/x$/);
  expect(resolvedPath("", "followed")).toBeNull();
});

test("a link's target is read from the folder that the link is in", () => {
  expect(resolvedTarget("file", join(home, "link", "new"))).toBe(file);
  expect(resolvedTarget("../inner/file", join(home, "link", "new"))).toBe(file);
  expect(resolvedTarget(join(home, "link", "file"), "anywhere")).toBe(file);
});

test("of a path that exists, the answer is the kernel's", () => {
  const name = fc.constantFrom(".", "..", "real", "inner", "link", "file", "dangling", "", basename(home));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 7 }), (names) => {
      const path = join(dirname(home), basename(home)) + ["", ...names].join("/");
      let real: string;
      try {
        real = realpathSync.native(path);
      } catch {
        return;
      }
      expect(resolvedPath(path, "followed")).toBe(real);
      if (!/(^|\/)(\.{0,2})$/.test(path)) {
        expect(resolvedPath(path, "kept")).toBe(join(realpathSync.native(dirname(path)), basename(path)));
      }
    }),
  );
});
