import type { RuleExample } from "../types.ts";

type Example = Omit<RuleExample, "given">;

/** Places that exist on every machine; an example needs one that the user did not allow. */
const outsiders = ["/etc/passwd", "/usr/bin/env", "/var/lib/interlock-example"];

export const filesUnderRootExamples = (
  pattern: string,
  roots: readonly string[],
  hasDirectory: boolean,
): readonly Example[] => {
  const action = pattern.endsWith("*") ? `${pattern.slice(0, -1)}readFile` : pattern;
  const root = roots[0]!.replace(/\/+$/, "");
  const inside = `${root}/interlock-example`;
  const outside = outsiders.find((path) => !roots.some((folder) => path.startsWith(folder))) ?? "/";
  const of = (expect: Example["expect"], ...list: readonly Example["event"]["args"][]): readonly Example[] =>
    list.map((args) => ({ event: { action, args }, expect }));
  return [
    ...of(
      "allow",
      { path: `${inside}/a.txt` },
      { path: `${inside}/./b//../a.txt` },
      { paths: [`${inside}/a.txt`, `${inside}/b.txt`] },
      { source: `${inside}/a.txt`, destination: `${inside}/b.txt` },
      { path: new TextEncoder().encode(`${inside}/a.txt`) },
    ),
    ...of("silent", { path: 3 }, { pattern: "*.txt" }),
    ...of(
      "block",
      { path: "/" },
      { path: outside },
      { path: outside.replaceAll("/", "//") },
      { path: outside.toUpperCase() },
      { path: `${inside}/${"../".repeat(64)}${outside.slice(1)}` },
      { path: `${root}-interlock-neighbour/a.txt` },
      { path: `/proc/self/root${outside}` },
      { path: `file://${outside}` },
      { path: "~root/a.txt" },
      { path: `${inside}/a.txt\0` },
      { path: ` ${inside}/a.txt` },
      { path: `"${inside}/a.txt"` },
      { path: "" },
      { path: { text: inside } },
      { paths: [`${inside}/a.txt`, outside] },
      { source: `${inside}/a.txt`, destination: outside },
    ),
    // Without the caller's directory a relative path may lead anywhere.
    ...(hasDirectory ? [] : of("block", { path: "notes.txt" })),
  ];
};
