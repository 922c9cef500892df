import { withSlashes } from "./readings.ts";

/** A path as the laxest file system and the laxest tool tell it from others: what is the same here may be the same file. */
export interface Folded {
  /** `climbs`: relative, with more `..` than it goes down, so that it may end anywhere. */
  readonly anchor: "root" | "home" | "climbs" | "relative";
  /** Lower case, NFKC, without invisible letters, trailing dots and spaces, `::$DATA`; `.` and `..` are resolved. */
  readonly parts: readonly string[];
}

/** A path with more parts is not judged: no tool's needs them. */
export const maxParts = 256;

/** By the text alone; links are `realPaths`' concern. */
export const folded = (reading: string): Folded => {
  const steps = withSlashes(visible(reading).toLowerCase()).split("/");
  let anchor: Folded["anchor"] = "relative";
  if (steps.length > 1 && steps[0] === "") anchor = "root";
  const parts: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (index === 0 && homes.has(step)) {
      anchor = "home";
      continue;
    }
    if (index === 0 && /^[a-z][:|]$/.test(step)) {
      anchor = "root";
      continue;
    }
    if (step === "" || step === ".") continue;
    if (step === "..") {
      if (parts.length > 0) parts.pop();
      else if (anchor !== "root") anchor = "climbs";
      continue;
    }
    // `\\?\C:\x` and `\\.\C:\x`.
    if (parts.length === 0 && anchor === "root" && (step === "?" || step === "??" || /^[a-z][:|]$/.test(step)))
      continue;
    parts.push(bare(step));
  }
  return { anchor, parts };
};

/** What names the home of the user in a shell, in cmd and in PowerShell. */
const homes: ReadonlySet<string> = new Set([
  "~",
  "$home",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell's.
  "${home}",
  "$env:userprofile",
  "$env:home",
  "%userprofile%",
  "%homepath%",
  "%homedrive%%homepath%",
]);

const ascii = /^[ -~]*$/;
/** Compatibility forms made one, and letters gone that are not seen. */
const visible = (text: string): string =>
  ascii.test(text) ? text : text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}|(?!\0)\p{Cc}/gu, "");

/** Windows drops dots and spaces from the end of a name, and what follows `:` names a stream of the same file. */
const bare = (part: string): string => {
  const colon = part.indexOf(":", 2);
  const name = colon < 0 ? part : part.slice(0, colon);
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
  return end === 0 ? name : name.slice(0, end);
};
