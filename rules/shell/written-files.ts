import { outputOf } from "./known-output.ts";
import { shells } from "./script-takers.ts";
import type { ShellState } from "./state.ts";
import type { CommandNode } from "./tree.ts";
import type { UnwrappedCommand } from "./unwrap.ts";
import type { Word } from "./word.ts";

const plain = (path: string): string => path.replace(/^(?:\.\/)+/, "");

/** What stands in the files that a script wrote, for when it runs them. */
export class WrittenFiles {
  readonly #texts = new Map<string, Word>();

  add(path: string, text: Word): void {
    this.#texts.set(plain(path), text);
  }

  /** Of `sh FILE`, `source FILE`, `./FILE`; undefined where the script did not write the file. */
  runBy({ name, path, args }: UnwrappedCommand): Word | undefined {
    if (this.#texts.size === 0) return undefined;
    if (path.includes("/") && this.#texts.has(plain(path))) return this.#texts.get(plain(path));
    if (!shells.has(name) && name !== "source" && name !== ".") return undefined;
    const file = args.find(({ text }) => !/^[-+]/.test(text))?.text;
    return file === undefined ? undefined : this.#texts.get(plain(file));
  }
}

/** `echo TEXT > FILE` and `cat > FILE <<EOF`: what a command writes, where that is told; null where it is not. */
export const writtenBy = (command: CommandNode, input: Word | null, state: ShellState): Word | null => {
  if (command.type !== "CallExpr") return null;
  const [head] = command.Args;
  if (head !== undefined && state.text(head).text === "cat") return input;
  return outputOf(
    [{ type: "Stmt", Cmd: command, Redirs: [], Background: false }],
    state.surroundings(() => 0),
  );
};
