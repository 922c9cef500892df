import { isProtectedPlace, isSystemFile } from "../../shell/system-places.ts";
import { type Judge, judgement } from "./judgement.ts";

/** Code in another language is not parsed here. What it hands to a shell stands in its strings, and so does what it removes. */
export const inlineCode: Judge = ({ effects }) =>
  effects.map((effect) => {
    if (effect.kind !== "runs" || effect.what !== "code" || effect.text === null) return null;
    const texts = stringsIn(effect.text);
    if (hands.test(effect.text) && texts.some(isDeadly))
      return judgement("block", "code in the command hands a destructive command to a shell");
    if (removes.test(effect.text) && texts.some((text) => isProtectedPlace(text) && text !== "." && text !== ""))
      return judgement("block", "code in the command removes what a system or a home needs");
    if (writes.test(effect.text) && texts.some(isSystemFile))
      return judgement("block", "code in the command writes to a file of the system");
    if (environments.test(effect.text) && connects.test(effect.text))
      return judgement("block", "code in the command sends the variables of its process away");
    return evaluates.test(effect.text)
      ? judgement("escalate", "code in the command runs text that is decoded or fetched")
      : null;
  });

const hands = /system|popen|subprocess|exec|spawn|child_process|`|qx|shell/i;
const removes =
  /rmtree|rmSync|rmdirSync|fs\.rm\b|fs\.rmdir|unlink|rimraf|remove_dir|FileUtils\.rm|remove_tree|removedirs/i;
const writes = /\bopen\s*\([^)]{0,200},\s*["'][wa]|writeFile|appendFile|write_text|File\.write|file_put_contents/;
/** All variables at once, in Perl, Ruby, PHP, Lua; Python and JavaScript are parsed by the pack code. */
const environments = /%ENV\b|\bENV\.(?:to_|inspect|each|map|collect)|\$_ENV\b(?!\s*\[)|\bgetenv\(\s*\)/;
const connects =
  /IO::Socket|LWP::|HTTP::Tiny|Net::HTTP|open-uri|URI\.open|TCPSocket|fsockopen|curl_exec|https?:\/\/|socket\.http/;
/** `exec(base64.b64decode(...))`, `eval(urlopen(...).read())`. */
const evaluates =
  /\b(?:exec|eval|compile|Function)\s*\(.{0,200}(?:b64decode|fromhex|atob|urlopen|requests\.get|fetch\(|decompress|base64)/is;

/** The strings of a program text, as most languages write them, up to a number that people write. */
const stringsIn = (text: string): readonly string[] => {
  const found: string[] = [];
  for (const match of text.slice(0, 16_384).matchAll(/"([^"\\\n]{0,2000})"|'([^'\\\n]{0,2000})'|`([^`\\]{0,2000})`/g)) {
    if (found.length >= 200) break;
    found.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return found;
};

/** A command in a string of code, by its first words alone: what is asked is only whether it is one of the worst. */
const isDeadly = (text: string): boolean => {
  const words = text.trim().split(/\s+/);
  const at = words[0] === "sudo" ? 1 : 0;
  const name = words[at];
  const rest = words.slice(at + 1);
  if (name === "rm")
    return (
      rest.some((word) => /^-[a-zA-Z]*[rR]/.test(word)) &&
      rest.some((word) => word.length > 0 && !word.startsWith("-") && isProtectedPlace(word))
    );
  if (name === "mkfs" || name?.startsWith("mkfs.") === true || name === "shutdown" || name === "reboot") return true;
  if (name === "dd") return rest.some((word) => word.startsWith("of=/dev/"));
  return /\b(?:curl|wget)\b[^|]{0,400}\|\s*(?:sudo\s+)?(?:ba|da|z)?sh\b|\/dev\/tcp\/|\bnc\b[^|]{0,80}\s-e\s/.test(text);
};
