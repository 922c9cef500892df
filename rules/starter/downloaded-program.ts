import type { Command } from "../shell/script.ts";
import { shells } from "../shell/script-takers.ts";
import type { Finding } from "./destructive.ts";

const downloads: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "wget2",
  "fetch",
  "aria2c",
  "lynx",
  "http",
  "https",
  "xh",
  "nc",
  "ncat",
  "socat",
]);
/** Interpreters, and the options with which each takes its program from elsewhere than its input. */
const interpreters: ReadonlyMap<string, RegExp> = new Map([
  ["python", /^-[A-Za-z]*[cm]/],
  ["perl", /^-[A-Za-z]*[eEnp]/],
  ["ruby", /^-[A-Za-z]*[enp]/],
  ["node", /^(?:-[ep]|--eval|--print|--check)/],
  ["bun", /^(?:-e|--eval|run|x)/],
  ["deno", /^(?:eval|--eval|task|fmt|lint)/],
  ["php", /^-[A-Za-z]*[rBRFE]/],
  ["lua", /^-e/],
]);

/** `curl URL | sh`, `bash <(curl URL)`, `sh -c "$(wget -O- URL)"`: what arrives is run unread. */
export const runsDownload = (command: Command): Finding | null => {
  const isProgram = shells.has(command.name) ? readsProgram(command) : interprets(command);
  const runs = isProgram || command.name === "eval" || command.name === "source" || command.name === ".";
  if (!runs || command.fedBy.length === 0) return null;
  if (command.fedBy.some((name) => downloads.has(name)))
    return { certain: true, reason: "it runs a program as it is downloaded" };
  return shells.has(command.name) ? { certain: false, reason: "it runs a script that is not in the command" } : null;
};

/** A shell reads its input when nothing else is its script; a substitution may be its script. */
const readsProgram = ({ args }: Command): boolean => {
  const script = args.find(({ text }) => !text.startsWith("-") && !text.startsWith("+"));
  return (
    script === undefined ||
    !script.known ||
    script.text === "/dev/stdin" ||
    script.text.startsWith("/dev/fd/") ||
    args.some(({ text }) => /^-[a-z]*s/.test(text))
  );
};

const interprets = ({ name, args }: Command): boolean => {
  const elsewhere = interpreters.get(name.replace(/[\d.]+$/, "")) ?? null;
  if (elsewhere === null || args.some(({ text }) => elsewhere.test(text))) return false;
  const operand = args.find(({ text }) => !text.startsWith("-") || text === "-");
  return (
    operand === undefined ||
    !operand.known ||
    operand.text === "-" ||
    operand.text === "/dev/stdin" ||
    operand.text.startsWith("/dev/fd/")
  );
};
