import alike from "unhomoglyph";
import { describe, expect, it } from "vitest";
import { looksAlike } from "./look-alike.ts";

const host = (name: string): string => new URL(`http://${name}/`).hostname;

describe("a host that looks like another", () => {
  it.each([
    "p\u0430ypal.com",
    "\u0430\u0440\u0440\u04cf\u0435.com",
    "\u0261ithub.com",
    "g\u00f3ogle.com",
    "www.g\u043eogle.com",
    "\u03bf\u03bf.com",
    "xn--pypal-4ve.com",
  ])("is told: %s", (name) => expect(looksAlike(host(name), alike)).toBe(true));

  it.each([
    "m\u00fcnchen.de",
    "\u0440\u043e\u0441\u0441\u0438\u044f.\u0440\u0444",
    "\u65e5\u672cweb.jp",
    "\ud55c\uad6d.com",
    "\u043c\u043e\u0441\u043a\u0432\u0430.com",
    "caf\u00e9.fr",
  ])("is not %s", (name) => expect(looksAlike(host(name), alike)).toBe(false));

  it("is told of the names that a rule set allows", () => {
    expect(looksAlike(host("acm\u00e9.com"), alike)).toBe(false);
    expect(looksAlike(host("acm\u00e9.com"), alike, ["acme"])).toBe(true);
  });
});
