import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import { behind, type Call, onFiles, type Program, type Programs, valuesOf } from "./program.ts";

/** Whoever serves a folder hands out what is below it. One that is not named is the working directory, which is for others to judge. */
export const serves = (call: Call, folders: readonly Word[]): readonly Effect[] =>
  onFiles("reads", call, folders, "below");

/** The value of an option among all words, wherever it stands: a module's own options come behind its name. */
const after = ({ args }: Call, ...names: readonly string[]): readonly Word[] =>
  args.flatMap((word, at) => {
    if (names.includes(word.text)) return args.slice(at + 1, at + 2);
    return names.some((name) => name.startsWith("--") && word.text.startsWith(`${name}=`)) ? [behind(word, "=")] : [];
  });

const pythonServers: ReadonlySet<string> = new Set(["http.server", "SimpleHTTPServer", "CGIHTTPServer"]);

/** `python3 -m http.server --directory DIR`. */
export const servedByPython = (call: Call): readonly Effect[] =>
  valuesOf(call, "m").some(({ text }) => pythonServers.has(text)) ? serves(call, after(call, "-d", "--directory")) : [];

const ofOperands: Program = {
  grammar: { short: "lpacSCKd", long: ["listen", "port", "config", "address", "cache", "proxy", "cert", "key"] },
  does: (call) => serves(call, call.operands.slice(0, 1)),
};

/** The server of busybox; the option of that name asks Apache's for help, and then has no folder behind it. */
const busyboxServer: Program = {
  grammar: { short: "hpcrdu" },
  does: (call) => serves(call, valuesOf(call, "h")),
};

/** Programs that do nothing but serve a folder. */
export const servingPrograms: Programs = {
  serve: ofOperands,
  "http-server": ofOperands,
  "live-server": ofOperands,
  httpd: busyboxServer,
};
