import { describe, expect, it } from "vitest";
import { isDevice, isWindowsForm, shortNameAsGlob } from "./windows.ts";

describe("a path that only Windows reads as one", () => {
  it.each([
    "C:\\x",
    "c:/x",
    "C:",
    "\\\\server\\share",
    "\\\\?\\C:\\x",
    "//?/C:/x",
    "a.txt::$DATA",
    "CON",
    "dir/nul",
    "COM1",
  ])("is %j", (text) => expect(isWindowsForm(text)).toBe(true));
  it.each(["/c/x", "src/a.ts", "aux.c", "src/aux/x.ts", "console", "a:b"])("is not %j", (text) =>
    expect(isWindowsForm(text)).toBe(false),
  );
  it("has devices and short names", () => {
    expect(isDevice("\\\\.\\COM1")).toBe(true);
    expect(shortNameAsGlob("PROGRA~1")).toBe("PROGRA*");
    expect(shortNameAsGlob("ID_RSA~1.PUB")).toBe("ID_RSA*");
    expect(shortNameAsGlob("backup~")).toBeNull();
  });
});
