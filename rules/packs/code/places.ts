import type { WireObject } from "../../../wire/value.ts";
import { remembered } from "../../remembered.ts";
import { textsOf } from "../../scan/texts.ts";
import { toolWords } from "../../tool-words.ts";
import type { Program } from "./program.ts";

/** A program that a call would run. */
export interface CodePlace {
  readonly place: string;
  readonly text: string;
  /** Null: not said; both are tried. */
  readonly language: Program["language"] | null;
}

const running: ReadonlySet<string> = new Set(
  "run exec execute eval evaluate interpreter interpret python python3 py repl jupyter ipython notebook kernel cell js javascript node nodejs typescript ts sandbox code snippet e2b colab".split(
    " ",
  ),
);
/** Tools that look at code or keep it. */
const looking: ReadonlySet<string> = new Set(
  "format lint review search find explain analyze analyse write create edit save update insert read view get list grep generate describe document test shell bash sql query".split(
    " ",
  ),
);
const names: ReadonlySet<string> = new Set(
  "code source sourcecode script python pythoncode pycode javascript jscode js program snippet cell expression input cellcode codetoexecute function".split(
    " ",
  ),
);

const toolOf = remembered((action: string) => {
  const words = toolWords(action);
  return {
    runs: words.some((word) => running.has(word)),
    looks:
      words.some((word) => looking.has(word)) &&
      !words.some((word) => ["run", "exec", "execute", "eval", "evaluate"].includes(word)),
    language: words.map(languageNamed).find((language) => language !== null) ?? null,
  };
});

const languageNamed = (text: string): Program["language"] | "other" | null => {
  if (/^(?:python[23]?|py|ipython|jupyter|python3\.\d{1,2})$/.test(text)) return "python";
  if (/^(?:js|javascript|node|nodejs|ts|typescript|deno|bun|browser|playwright|puppeteer)$/.test(text))
    return "javascript";
  if (/^(?:bash|sh|shell|sql|ruby|rb|perl|go|rust|java|c|cpp|r|php|lua|powershell|html|css|json|yaml)$/.test(text))
    return "other";
  return null;
};

/** The programs in a call's arguments. Nothing for tools that format, search or write code. */
export const codePlaces = (action: string, args: WireObject): readonly CodePlace[] => {
  const tool = toolOf(action);
  if (tool.looks) return [];
  const said =
    typeof args.language === "string"
      ? languageNamed(args.language.toLowerCase())
      : typeof args.lang === "string"
        ? languageNamed(args.lang.toLowerCase())
        : null;
  const language = said ?? tool.language;
  if (language === "other") return [];
  return textsOf(args).texts.flatMap(({ place, text, kind, name }) => {
    const called = name.toLowerCase().replaceAll(/[-_]/g, "");
    if (kind === "name" || !names.has(called)) return [];
    // `script` and `input` are programs only in a tool that runs programs of a language.
    if (!tool.runs && called !== "code" && !/^(?:python|js|py|code|source)/.test(called)) return [];
    return [{ place, text, language: language ?? languageOfName(called) }];
  });
};

const languageOfName = (name: string): Program["language"] | null =>
  name.startsWith("py") ? "python" : name.startsWith("js") || name.startsWith("javascript") ? "javascript" : null;
