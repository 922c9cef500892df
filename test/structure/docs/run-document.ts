import { parse as parseYaml } from "yaml";
import { type ConsoleStep, consoleSteps } from "./console-block.ts";
import { outputMatches, printedLines } from "./expected-output.ts";
import { type FencedBlock, fencedBlocks } from "./fences.ts";
import { Shell } from "./shell.ts";
import { Workspace } from "./workspace.ts";

/** What kinds of block a document may have, and the settings each takes. `text` is shown and not run. */
const settingsOfLanguage: Readonly<Record<string, readonly string[]>> = {
  console: ["exit"],
  ts: ["file"],
  js: ["file"],
  py: ["file"],
  json: ["file"],
  jsonl: ["file"],
  yaml: ["file"],
  text: [],
};

/** Refuses a block that the runner would not understand, before anything of its document runs. */
const checkKind = ({ language, settings, line }: FencedBlock): void => {
  const known = Object.hasOwn(settingsOfLanguage, language) ? settingsOfLanguage[language] : undefined;
  if (known === undefined) {
    const names = Object.keys(settingsOfLanguage).join(", ");
    throw new Error(`line ${line}: a block is one of ${names}, not "${language}"`);
  }
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`line ${line}: a ${language} block has no setting ${unknown}`);
};

const runStep = async (shell: Shell, step: ConsoleStep, exitCode: number): Promise<void> => {
  const { command, background, expected, line } = step;
  const shown = `line ${line}: $ ${command}`;
  if (background) {
    const ready = (output: string): boolean =>
      expected.length > 0 ? outputMatches(expected, printedLines(output)) : output.includes("listening on");
    await shell.runInBackground(command, ready).catch((error: Error) => {
      throw new Error(`${shown}\n${error.message}`);
    });
    return;
  }
  const printed = await shell.run(command).catch((error: Error) => {
    throw new Error(`${shown}\n${error.message}`);
  });
  if (printed.exitCode !== exitCode) {
    throw new Error(`${shown}\nended with code ${printed.exitCode}, not ${exitCode}; it printed:\n${printed.output}`);
  }
  if (!outputMatches(expected, printedLines(printed.output))) {
    throw new Error(`${shown}\nprinted:\n${printed.output}\nthe document shows:\n${expected.join("\n")}`);
  }
};

const runConsole = async (shell: Shell, block: FencedBlock): Promise<void> => {
  const lastExitCode = Number(block.settings.exit ?? 0);
  const steps = consoleSteps(block.lines, block.line + 1);
  for (const [at, step] of steps.entries()) await runStep(shell, step, at === steps.length - 1 ? lastExitCode : 0);
};

const extensions: Readonly<Record<string, string>> = { ts: "ts", js: "mjs", py: "py" };

/** Writes what has a name, and checks what can be checked without running it. */
const takeFile = (workspace: Workspace, { language, settings, lines, line }: FencedBlock): void => {
  const text = `${lines.join("\n")}\n`;
  const extension = extensions[language];
  const name = settings.file ?? (extension === undefined ? undefined : `block-${line}.${extension}`);
  if (name !== undefined) workspace.write(name, text);
  try {
    if (language === "ts") workspace.checkTypes(name as string);
    if (language === "js") workspace.checkSyntax(name as string);
    if (language === "py") workspace.checkPython(name as string);
    if (language === "json") JSON.parse(text);
    if (language === "jsonl") for (const value of lines) if (value !== "") JSON.parse(value);
    if (language === "yaml") parseYaml(text, { strict: true });
  } catch (error) {
    throw new Error(`line ${line}: the ${language} block is refused: ${(error as Error).message}`);
  }
};

/**
 * Runs every block of a document in order, in one folder of its own. Throws an error that names the line of the first
 * block that does not do what the document says.
 */
export const runDocument = async (markdown: string): Promise<void> => {
  const blocks = fencedBlocks(markdown);
  for (const block of blocks) checkKind(block);
  const workspace = new Workspace();
  const shell = new Shell(workspace.folder, workspace.logFolder, workspace.environment);
  try {
    for (const block of blocks) {
      if (block.language === "console") await runConsole(shell, block);
      else if (block.language !== "text") takeFile(workspace, block);
    }
  } finally {
    await shell.end();
    workspace.remove();
  }
};
