import { describe, expect, it } from "vitest";
import { folded } from "./folded.ts";

const of = (path: string): string => {
  const { anchor, parts } = folded(path);
  return `${anchor}:${parts.join("/")}`;
};

describe("a folded path", () => {
  it.each([
    ["/etc//./Passwd", "root:etc/passwd"],
    ["~/tmp/../.SSH/id", "home:.ssh/id"],
    ["$HOME/.npmrc", "home:.npmrc"],
    ["%USERPROFILE%\\.aws\\config", "home:.aws/config"],
    ["$env:USERPROFILE\\.ssh", "home:.ssh"],
    ["a/../../b", "climbs:b"],
    ["/../../b", "root:b"],
    ["src/a.ts", "relative:src/a.ts"],
    [".env. . ", "relative:.env"],
    [".env::$DATA", "relative:.env"],
    [".ssh::$INDEX_ALLOCATION/id", "relative:.ssh/id"],
    ["C:\\Users\\A", "root:users/a"],
    ["\\\\?\\C:\\Users\\A", "root:users/a"],
    ["\uff0eenv", "relative:.env"],
    [".e\u200bnv", "relative:.env"],
    ["p\u00adasswd", "relative:passwd"],
    ["cafe\u0301", "relative:caf\u00e9"],
    [".../x", "relative:.../x"],
    ["a\u0000b", "relative:a\u0000b"],
  ])("of %j is %j", (path, expected) => expect(of(path)).toBe(expected));
});
