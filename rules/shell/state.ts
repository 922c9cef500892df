import { changedBy } from "./builtins.ts";
import { afterChange, type Directory } from "./directories.ts";
import { eachReading, type Pick, surroundingsOf } from "./readings.ts";
import type { AssignNode, WordNode } from "./tree.ts";
import { parametersIn } from "./tree-search.ts";
import type { Variables } from "./variables.ts";
import { evaluateText, evaluateWords, type Surroundings, unknown, type Word, wordOf } from "./word.ts";

/** Names of commands. */
export type Names = readonly string[];

/** What a shell knows between two commands: where it may be, and what its variables may hold. */
export class ShellState {
  directories: readonly Directory[];
  variables: Variables;
  /** False where the script has set IFS: then a variable may be a whole command. */
  splitsAtBlanks = true;
  readonly #reads: string[];

  /** `reads` takes the names of variables that are read before the script set them. */
  constructor(directories: readonly Directory[], variables: Variables, reads: string[]) {
    this.directories = directories;
    this.variables = variables;
    this.#reads = reads;
  }

  /** Takes each branch from where all begin; afterwards, what any of them set may be set. */
  branches(branches: readonly (() => Names)[]): Names {
    const [before, directories] = [this.variables, this.directories];
    const ends: Variables[] = [];
    const places = new Set<Directory>();
    const names = branches.flatMap((branch) => {
      this.variables = before.copy();
      this.directories = directories;
      const own = branch();
      ends.push(this.variables);
      for (const place of this.directories) places.add(place);
      return own;
    });
    const [first, ...others] = ends;
    this.variables = first ?? before;
    for (const other of others) this.variables.join(other);
    this.directories = [...places].slice(0, 16);
    return names;
  }

  /** What is set and where one goes in a subshell ends with it. */
  inside(run: () => Names): Names {
    const [variables, directories, splits] = [this.variables, this.directories, this.splitsAtBlanks];
    this.variables = variables.copy();
    const names = run();
    this.variables = variables;
    this.directories = directories;
    this.splitsAtBlanks = splits;
    return names;
  }

  /** What a command of the shell's own changes for those after it. */
  change(name: string, args: readonly Word[]): void {
    if (name === "cd" || name === "pushd")
      this.directories = afterChange(
        this.directories,
        args.find(({ text }) => !/^-[A-Za-z@]/.test(text)),
      );
    for (const changed of changedBy(name, args)) this.variables.forget(changed);
  }

  /** Names of the commands whose output the variables in a word hold. */
  sourcesOf(word: WordNode | null): Names {
    if (word === null) return [];
    return parametersIn(word).flatMap((name) => this.variables.get(name)?.fedBy ?? []);
  }

  /** Each way to read words, one for each value that their variables may have. */
  readings(words: readonly WordNode[]): readonly (readonly Word[])[] {
    return this.#each((around) => words.flatMap((word) => evaluateWords(word, around)));
  }

  texts(word: WordNode): readonly string[] {
    return this.#each((around) => evaluateText(word, around));
  }

  text(word: WordNode): Word {
    const texts = new Set(this.texts(word));
    return wordOf(texts.size === 1 ? ([...texts][0] as string) : unknown);
  }

  /** What `export`, `local` and their like are given, as arguments: `-x`, `NAME`, `NAME=VALUE`. */
  declared({ Name, Value }: AssignNode): readonly Word[] {
    if (Name === null) return Value === null ? [] : [this.text(Value)];
    return [wordOf(Value === null ? Name.Value : `${Name.Value}=${this.text(Value).text}`)];
  }

  #each<T>(evaluate: (around: Surroundings) => T): readonly T[] {
    return eachReading(evaluate, (pick) => this.surroundings(pick));
  }

  surroundings(pick: Pick): Surroundings {
    return surroundingsOf(this.variables, this.splitsAtBlanks, this.#reads, pick);
  }
}
