import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Extent, folded, plainPath, relationTo } from "./relation.ts";

const segment = fc.constantFrom("a", "b", "ab", "a.b", "A", ".", "..", "", "é");
const path = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
const extent = fc.constantFrom<Extent>("tree", "named", "alone");

/** The same by folders, as the words of the documents say it. */
const byFolders = (given: string, place: string, reach: Extent): string | null => {
  const [parts, wanted] = [given, place].map((text) => text.split("/").filter((part) => part !== "")) as [
    string[],
    string[],
  ];
  const starts = (long: readonly string[], short: readonly string[]): boolean =>
    short.every((part, at) => long[at] === part);
  if (parts.length === wanted.length && starts(parts, wanted)) return "inside";
  if (parts.length < wanted.length) return starts(wanted, parts) ? "above" : null;
  if (reach === "alone") return null;
  if (starts(parts, wanted)) return "inside";
  const at = wanted.length - 1;
  const isNamed = reach === "named" && at >= 0 && starts(parts, wanted.slice(0, at));
  return isNamed && parts[at]?.startsWith(`${wanted[at]}.`) === true ? "inside" : null;
};

test("a path is inside of a place, above it, or neither, as its folders say", () => {
  fc.assert(
    fc.property(path, path, extent, (given, place, reach) => {
      const [plain, at] = [plainPath(given), plainPath(place)].map(folded) as [string, string];
      expect(relationTo(plain, at, reach)).toBe(byFolders(plain, at, reach));
    }),
    { numRuns: 5_000 },
  );
});

test("a plain path is what the kernel takes the text for where no links are", () => {
  fc.assert(
    fc.property(path, (given) => {
      const plain = plainPath(given);
      expect(plain).toBe(posix.resolve(given));
      expect(plainPath(plain)).toBe(plain);
    }),
    { numRuns: 2_000 },
  );
});

test("letters that a file system may not tell apart are one", () => {
  for (const [one, other] of [
    ["/STATE", "/state"],
    ["/\u017ftate", "/state"],
    ["/e\u0301", "/\u00e9"],
    ["/\u212a", "/k"],
  ] as const)
    expect(folded(one)).toBe(folded(other));
});
