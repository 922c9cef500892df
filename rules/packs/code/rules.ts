import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type CommandArgument, namesInCommand, onceRead } from "../../shell/command-arguments.ts";
import { effectsFor } from "../../shell/script-effects.ts";
import { type CodeAnswer, type CodeOptions, judgeProgram } from "./judge.ts";
import { type CodePlace, codePlaces } from "./places.ts";

const everyAction: readonly string[] = Object.freeze(["*"]);

/** Programs in the arguments of tools that run them. */
export const programsRule = (options: CodeOptions): DefinedRule =>
  defineRule({
    id: "code.programs",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const places = codePlaces(action, args);
      return places.length === 0 ? undefined : worstOf(places, options);
    },
    examples: [
      // No program: this one runs at every start, and a grammar takes 20 ms.
      { event: { action: "read_file", args: { path: "app.py" } }, expect: "silent" },
      { event: { action: "run_code", args: { code: "print(sum(range(10)))" } }, expect: "silent" },
      { event: { action: "run_code", args: { code: "import os\nos.system('id')" } }, expect: options.processes },
      {
        event: { action: "execute_python", args: { code: "().__class__.__mro__[1].__subclasses__()" } },
        expect: "block",
      },
      { event: { action: "run_js", args: { code: "eval(atob(payload))" } }, expect: options.processes },
    ],
  });

const interpreters = /python|\bnode\b|nodejs|\bdeno\b|\bbun\b|ipython|pypy|\btsx\b|ts-node/i;

/** Programs in a command: `python -c`, `node -e`, and what an interpreter reads from a here-document or a pipe. */
export const commandProgramsRule = (options: CodeOptions): DefinedRule =>
  defineRule({
    id: "code.commands",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      return namesInCommand(action, args, interpreters) ? ofCommands(action, args, options) : undefined;
    },
    examples: [
      { event: { action: "bash", args: { command: "npm test" } }, expect: "silent" },
      { event: { action: "bash", args: { command: "python3 -c 'print(1)'" } }, expect: "silent" },
      {
        event: { action: "bash", args: { command: "python3 -c 'import os; os.system(\"id\")'" } },
        expect: options.processes,
      },
    ],
  });

type Answer = CodeAnswer | undefined;

const ofCommands = (
  action: string,
  args: Parameters<typeof namesInCommand>[1],
  options: CodeOptions,
): Answer | Promise<Answer> => {
  // What no shell can read is the commands pack's to say.
  const places = onceRead<readonly CodePlace[]>(action, args, programsIn, () => []);
  if (places instanceof Promise) return places.then((later) => worstOf(later, options));
  return places.length === 0 ? undefined : worstOf(places, options);
};

const programsIn = (commands: readonly CommandArgument[]): readonly CodePlace[] => {
  const places: CodePlace[] = [];
  for (const { name: place, script } of commands)
    for (const effect of effectsFor(script)) {
      if (effect.kind !== "runs" || effect.what !== "code" || effect.text === null) continue;
      const language = languageOf(effect.program);
      // What the running shell puts in stands for a value.
      if (language !== null) places.push({ place, text: effect.text.replaceAll("\0", "x"), language });
    }
  return places;
};

const languageOf = (program: string): CodePlace["language"] =>
  /^(?:python|ipython|pypy)[0-9.]{0,4}$/.test(program)
    ? "python"
    : /^(?:node|nodejs|deno|bun|tsx|ts-node)$/.test(program)
      ? "javascript"
      : null;

const worstOf = async (places: readonly CodePlace[], options: CodeOptions): Promise<CodeAnswer | undefined> => {
  let doubt: CodeAnswer | undefined;
  for (const { place, text, language } of places) {
    const answer = await judgeProgram(text, language, place, options);
    if (answer?.kind === "block") return answer;
    doubt ??= answer;
  }
  return doubt;
};
