import { describe, expect, it } from "vitest";
import { readingsOf } from "./readings.ts";

describe("the readings of a spelling", () => {
  it("of a plain path are the path", () => expect(readingsOf("src/a.ts")).toEqual(["src/a.ts"]));

  it.each([
    ["file:///etc/passwd", "/etc/passwd"],
    ["FILE:/etc/passwd", "/etc/passwd"],
    ["file://localhost/etc/passwd", "/etc/passwd"],
    ["file://~/.ssh/id", "~/.ssh/id"],
    ["file:///%65tc/passwd", "/etc/passwd"],
    ["file:///srv/%zz/../app/%2Eenv", "/srv/%zz/../app/.env"],
    ["jar:file:/a.jar!/b", "/a.jar!/b"],
    ["docs://server/../../etc/passwd", "/../../etc/passwd"],
    ["%2e%2e%2fx", "../x"],
    ["%252e%252e/x", "../x"],
    ["..%c0%afx", "../x"],
    ["%u002e%u002e/x", "../x"],
    ["..%5cx", "../x"],
    ["a\\b", "a/b"],
    ["\uff0fetc\uff0fpasswd", "/etc/passwd"],
    [" .env ", ".env"],
    ['".env"', ".env"],
  ])("of %j have %j among them", (spelling, reading) => {
    expect(readingsOf(spelling)[0]).toBe(spelling);
    expect(readingsOf(spelling)).toContain(reading);
  });

  it.each(["https://example.com/%2e%2e/x", "data:text/plain,a%20b", "mailto:a%40b"])("of %j are no paths", (url) =>
    expect(readingsOf(url)).toEqual([url]),
  );

  it("are bounded", () => expect(readingsOf("%25".repeat(1_000)).length).toBeLessThanOrEqual(12));
});
