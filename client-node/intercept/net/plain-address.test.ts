import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainAddress } from "./plain-address.ts";

describe("plainAddress", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["FE80::1%eth0", "fe80::1"],
    ["::ffff:127.0.0.9", "127.0.0.9"],
    ["::FFFF:7F00:9", "127.0.0.9"],
    ["0:0:0:0:0:ffff:0:0", "127.0.0.1"],
    ["::ffff:10.0.0.1%lo", "10.0.0.1"],
    ["2001:db8::1", "2001:db8::1"],
  ])("%s is %s", (written, plain) => {
    expect(plainAddress(written)).toBe(plain);
  });

  it("gives every form of an IPv6 address one form, and every IPv4 address as itself in both families", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const plain = plainAddress(address);
        expect(plainAddress(plain)).toBe(plain);
        expect(plainAddress(address.toUpperCase())).toBe(plain);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(plainAddress(`::ffff:${address}`)).toBe(plainAddress(address));
      }),
    );
  });
});
