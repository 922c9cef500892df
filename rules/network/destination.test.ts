import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destinationOf, maxDestinationCharacters } from "./destination.ts";

const kindOf = (text: string): string => {
  const destination = destinationOf(text);
  return destination.kind === "network" ? `${destination.scheme} ${destination.is}` : destination.kind;
};

describe("a destination", () => {
  it.each([
    ["https://example.com/", "https public"],
    ["example.com", "http public"],
    ["example.com:8443/x", "http public"],
    ["localhost:3000", "http loopback"],
    ["redis:6379", "http private"],
    ["redis://10.0.0.1:6379/0", "redis private"],
    ["redis://0x7f.1/", "redis loopback"],
    ["mongodb://example.com,10.0.0.1/db", "mongodb private"],
    ["ssh://git@github.com/a/b.git", "ssh public"],
    ["git@github.com:a/b.git", "ssh public"],
    ["git@10.0.0.1:a/b.git", "ssh private"],
    ["//127.0.0.1/x", "http loopback"],
    ["\\\\127.0.0.1\\x", "http loopback"],
    ["http:127.0.0.1", "http loopback"],
    ["fe80::1%eth0", "http link_local"],
    ["http://[fe80::1%25eth0]/", "http link_local"],
    ["view-source:http://169.254.169.254/", "view-source metadata"],
    ["jar:http://10.0.0.1/a.jar!/b", "jar private"],
    ["http://127.0.0.1.nip.io/", "http wildcard_dns"],
    ["jane@example.com", "mail"],
    ["mailto:jane@example.com?subject=x", "mail"],
    ["file:///etc/passwd", "inline"],
    ["data:text/plain,x", "inline"],
    ["javascript:alert(1)", "inline"],
    ["unix:/var/run/docker.sock", "socket"],
    ["http+unix://%2Frun%2Fdocker.sock/x", "socket"],
    ["\\\\.\\pipe\\docker_engine", "socket"],
    ["/a/path?x=1", "relative"],
    ["", "unreadable"],
    ["http://256.1.1.1/", "unreadable"],
    ["http://a\\@b/", "unreadable"],
    [`https://example.com/${"a".repeat(maxDestinationCharacters)}`, "unreadable"],
    [`data:image/png;base64,${"A".repeat(maxDestinationCharacters)}`, "inline"],
  ])("of %j is %s", (text, expected) => expect(kindOf(text)).toBe(expected));

  it.each([
    ["http+unix://%2Fvar%2Frun%2Fdocker.sock/v1/info", "/var/run/docker.sock"],
    ["unix:///run/user/1000/bus", "/run/user/1000/bus"],
    ["unix:/run/docker.sock:/containers/json", "/run/docker.sock"],
    ["unix:path=/run/user/1000/bus,guid=1", "/run/user/1000/bus"],
    ["unix:abstract=/tmp/dbus-x", "/tmp/dbus-x"],
  ])("that is a socket has its path: %j", (text, path) =>
    expect(destinationOf(text)).toEqual({ kind: "socket", path }),
  );

  it("is there for every text, and never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        (text) => typeof destinationOf(text).kind === "string",
      ),
    );
  });

  it("of an address is the same in every spelling that a URL parser takes", () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
        const spellings = [
          `http://${a}.${b}.${c}.${d}/`,
          `http://${number}/`,
          `http://0x${number.toString(16)}/`,
          `http://0${number.toString(8)}/`,
          `http://0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}/`,
          `http://${a}.${((b << 16) | (c << 8) | d) >>> 0}/`,
          `http://[::ffff:${a}.${b}.${c}.${d}]/`,
          `http://[64:ff9b::${a}.${b}.${c}.${d}]/`,
        ];
        expect(new Set(spellings.map(kindOf)).size).toBe(1);
      }),
    );
  });
});
