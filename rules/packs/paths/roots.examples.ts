import type { RuleExample } from "../../types.ts";
import type { Settings } from "./settings.ts";

type Example = Omit<RuleExample, "given">;

/** Places that exist on every machine; an example needs one that the user did not allow. */
const outsiders = ["/etc/passwd", "/usr/bin/env", "/var/lib/interlock-example"];

export const rootsExamples = ({ readRoots, writeRoots, directory, outsideRoots }: Settings): readonly Example[] => {
  const root = (readRoots[0] ?? writeRoots[0] ?? "/").replace(/\/+$/, "");
  const inside = `${root}/interlock-example`;
  const all = [...readRoots, ...writeRoots];
  const outside = outsiders.find((path) => !all.some((folder) => path.startsWith(folder))) ?? "/";
  const of = (expect: Example["expect"], ...list: readonly Example["event"]["args"][]): readonly Example[] =>
    list.map((args) => ({ event: { action: "read_file", args }, expect }));
  return [
    ...(readRoots.length === 0
      ? []
      : of(
          "allow",
          { path: `${inside}/a.txt` },
          { path: `${inside}/./b//../a.txt` },
          { paths: [`${inside}/a.txt`, `${inside}/b.txt`] },
          { path: new TextEncoder().encode(`${inside}/a.txt`) },
        )),
    ...of("silent", { path: 3 }, { pattern: "*.txt" }),
    ...of(
      outsideRoots,
      { path: "/" },
      { path: outside },
      { path: outside.replaceAll("/", "//") },
      { path: outside.toUpperCase() },
      { path: `${inside}/${"../".repeat(64)}${outside.slice(1)}` },
      { path: `${inside}/${"..%2f".repeat(64)}${outside.slice(1)}` },
      { path: `${root}-interlock-neighbour/a.txt` },
      { path: `file://${outside}` },
      { paths: [`${inside}/a.txt`, outside] },
    ),
    ...of(
      "block",
      { path: `/proc/self/root${outside}` },
      { path: "~root/a.txt" },
      { path: `${inside}/a.txt\0` },
      { path: ` ${inside}/a.txt` },
      { path: `"${inside}/a.txt"` },
      { path: "" },
      { path: { text: inside } },
      { path: "C:\\Windows\\win.ini" },
      { path: "\\\\server\\share\\a.txt" },
    ),
    // Without the caller's directory a relative path may lead anywhere.
    ...(directory === null ? of("block", { path: "notes.txt" }) : []),
  ];
};
