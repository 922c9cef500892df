import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { temporaryDirectory } from "../ledger/test-state.ts";
import { findStateDirectory, openStateDirectory } from "./state-directory.ts";

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

test("is created for us alone, whatever the mask", () => {
  const path = join(temporaryDirectory(), "state");
  const before = process.umask(0);
  try {
    expect(openStateDirectory(path).ledgerPath).toBe(join(path, "ledger.db"));
  } finally {
    process.umask(before);
  }
  expect(modeOf(path)).toBe(0o700);
  expect(openStateDirectory(path).path).toBe(path);
});

describe("is refused", () => {
  const refusal = (path: string): unknown => {
    try {
      openStateDirectory(path);
      return null;
    } catch (error) {
      return error;
    }
  };

  test.each([0o750, 0o705, 0o770, 0o707, 0o711])("with mode %o", (mode) => {
    const path = join(temporaryDirectory(), "state");
    mkdirSync(path);
    chmodSync(path, mode);
    expect(refusal(path)).toMatchObject({ name: "StoreRefused", code: "state_directory_unsafe" });
    expect(modeOf(path)).toBe(mode);
  });

  test("as a symbolic link, even to a directory of ours", () => {
    const base = temporaryDirectory();
    mkdirSync(join(base, "real"), { mode: 0o700 });
    symlinkSync(join(base, "real"), join(base, "state"));
    expect(refusal(join(base, "state"))).toMatchObject({ code: "state_directory_unsafe" });
  });

  test("of another user", () => {
    const path = join(temporaryDirectory(), "state");
    openStateDirectory(path);
    const us = vi.spyOn(process, "getuid").mockReturnValue(lstatSync(path).uid + 1);
    try {
      expect(refusal(path)).toMatchObject({ code: "state_directory_unsafe" });
    } finally {
      us.mockRestore();
    }
  });

  test("as a file", () => {
    const path = join(temporaryDirectory(), "state");
    writeFileSync(path, "", { mode: 0o700 });
    expect(refusal(path)).toMatchObject({ code: "state_directory_unsafe" });
  });

  test("where its parent is missing", () => {
    const error = refusal(join(temporaryDirectory(), "no", "state"));
    expect(error).toMatchObject({ code: "state_directory_unwritable", message: expect.stringContaining("ENOENT") });
  });

  test("by a reader where it is missing, and nothing is created", () => {
    const path = join(temporaryDirectory(), "state");
    expect(() => findStateDirectory(path)).toThrow(expect.objectContaining({ code: "state_directory_unwritable" }));
    expect(() => lstatSync(path)).toThrow();
  });

  test("on a file system that cannot be written", () => {
    expect(refusal("/proc/interlock")).toMatchObject({ code: "state_directory_unwritable" });
  });
});
