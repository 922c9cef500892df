import type { Directory } from "./directories.ts";
import { multiplies } from "./fork-bomb.ts";
import { outputOf } from "./known-output.ts";
import type { ReadingBudget } from "./parse.ts";
import { readsProgram } from "./program-input.ts";
import type { Command, Gathered, Pending } from "./script.ts";
import { type Names, ShellState } from "./state.ts";
import {
  type AssignNode,
  type CallNode,
  type CommandNode,
  type FileNode,
  operator,
  type RedirectNode,
  type ShellNode,
  type StatementNode,
  type WordNode,
} from "./tree.ts";
import { assignedIn, childrenOf, parametersIn } from "./tree-search.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import type { Value } from "./variables.ts";
import { unknown, type Word, wordOf } from "./word.ts";
import { WrittenFiles, writtenBy } from "./written-files.ts";

/** What stands before a command: what it reads, and from whom. */
interface Upstream {
  readonly fedBy: readonly string[];
  readonly input: Word | null;
}

const maxDepthOfCalls = 4;
const none: Upstream = Object.freeze({ fedBy: Object.freeze([]), input: null });

/** Follows one script as a shell would, running nothing: `cd` and assignments count, of a branch both sides are taken. */
export class Follower {
  readonly #found: Gathered;
  readonly #queue: Pending[];
  readonly #budget: ReadingBudget;
  readonly #elsewhere: boolean;
  readonly #fedBy: Names;
  readonly #state: ShellState;
  readonly #functions = new Map<string, StatementNode>();
  readonly #called = new Set<string>();
  readonly #written = new WrittenFiles();
  #depthOfCalls = 0;

  constructor(pending: Pending, found: Gathered, queue: Pending[], budget: ReadingBudget) {
    this.#found = found;
    this.#queue = queue;
    this.#budget = budget;
    this.#elsewhere = pending.elsewhere;
    this.#fedBy = pending.fedBy;
    this.#state = new ShellState(pending.directories, pending.variables.copy(), found.reads);
  }

  follow({ Stmts }: FileNode): void {
    const start: Upstream = { fedBy: this.#fedBy, input: null };
    this.#statements(Stmts, start);
    // What nobody calls here may be called by a trap, or later.
    for (const [name, body] of [...this.#functions])
      if (!this.#called.has(name)) this.#state.inside(() => this.#statement(body, start));
  }

  /** Names of the commands that statements run. */
  #statements(statements: readonly StatementNode[], upstream: Upstream): Names {
    return statements.flatMap((statement) => this.#statement(statement, upstream));
  }

  #statement({ Cmd, Redirs }: StatementNode, upstream: Upstream): Names {
    this.#budget.takeStep();
    let { fedBy, input } = upstream;
    const names: string[] = [];
    const writing: RedirectNode[] = [];
    for (const redirect of Redirs) {
      if (operator.writing.includes(redirect.Op)) writing.push(redirect);
      else {
        const fed = [...this.#within(redirect.Word, none), ...this.#within(redirect.Hdoc, none)];
        names.push(...fed);
        fedBy = [...fedBy, ...fed];
        input = this.#inputOf(redirect) ?? input;
      }
      this.#redirect(redirect);
    }
    const own = Cmd === null ? [] : this.#command(Cmd, { fedBy, input });
    if (Cmd !== null && writing.length > 0) this.#remember(Cmd, writing, input);
    // `a > >(b)`: what a writes is what b reads.
    for (const redirect of writing) names.push(...this.#within(redirect.Word, { fedBy: own, input: null }));
    return [...names, ...own];
  }

  #remember(command: CommandNode, redirects: readonly RedirectNode[], input: Word | null): void {
    const text = writtenBy(command, input, this.#state);
    if (text === null) return;
    for (const { Word: word } of redirects) if (word !== null) this.#written.add(this.#state.text(word).text, text);
  }

  #queueWritten({ commands }: Unwrapped): void {
    for (const command of commands) {
      const text = this.#written.runBy(command);
      if (text?.known === true) this.#queueScript(text.text, command.directories, [], this.#elsewhere);
      else if (text !== undefined) this.#found.opaque = true;
    }
  }

  /** What `<<EOF` and `<<<` give a command to read; null where it is a file. */
  #inputOf({ Op, Word: word, Hdoc }: RedirectNode): Word | null {
    if (operator.hereDocument.includes(Op)) return Hdoc === null ? wordOf("") : this.#state.text(Hdoc);
    return Op === operator.hereString && word !== null ? this.#state.text(word) : null;
  }

  #redirect({ Op, Word: word }: RedirectNode): void {
    if (word === null || operator.hereDocument.includes(Op) || Op === operator.hereString) return;
    if (word.Parts.length === 1 && word.Parts[0]?.type === "ProcSubst") return;
    const writes = operator.writing.includes(Op);
    if (this.#elsewhere) return;
    for (const [target] of this.#state.readings([word]))
      if (target !== undefined) this.#found.redirects.push({ target, directories: this.#state.directories, writes });
  }

  #command(command: CommandNode, upstream: Upstream): Names {
    switch (command.type) {
      case "CallExpr":
        return this.#call(command, upstream);
      case "Subshell":
        return this.#state.inside(() => this.#statements(command.Stmts, upstream));
      case "Block":
        return this.#statements(command.Stmts, upstream);
      case "BinaryCmd":
        return this.#binary(command, upstream);
      case "IfClause":
        return [
          ...this.#statements(command.Cond, upstream),
          ...this.#state.branches([
            () => this.#statements(command.Then, upstream),
            () => (command.Else === null ? [] : this.#command(command.Else, upstream)),
          ]),
        ];
      case "WhileClause":
        this.#state.variables.blur(assignedIn(command));
        return this.#state.branches([
          () => [...this.#statements(command.Cond, upstream), ...this.#statements(command.Do, upstream)],
          () => [],
        ]);
      case "ForClause":
        return this.#loop(command, upstream);
      case "CaseClause":
        return [
          ...this.#within(command.Word, none),
          ...command.Items.flatMap(({ Patterns }) => Patterns.flatMap((pattern) => this.#within(pattern, none))),
          ...this.#state.branches([
            ...command.Items.map(
              ({ Stmts }) =>
                () =>
                  this.#statements(Stmts, upstream),
            ),
            () => [],
          ]),
        ];
      case "FuncDecl":
        if (multiplies(command)) this.#found.multiplies = true;
        this.#functions.set(command.Name.Value, command.Body);
        return [];
      case "DeclClause":
        return this.#declare(command, upstream);
      case "TimeClause":
        return command.Stmt === null ? [] : this.#statement(command.Stmt, upstream);
      case "CoprocClause":
        return this.#statement(command.Stmt, upstream);
      default:
        return this.#within(command, none);
    }
  }

  #binary({ Op, X, Y }: Extract<CommandNode, { readonly type: "BinaryCmd" }>, upstream: Upstream): Names {
    if (Op !== operator.pipe && Op !== operator.pipeAll) {
      const left = this.#statement(X, upstream);
      // Whether the right side runs is not known, nor whether what it sets is set.
      return [
        ...left,
        ...(Op === operator.or
          ? this.#state.branches([() => this.#statement(Y, upstream), () => []])
          : this.#statement(Y, upstream)),
      ];
    }
    const left = this.#state.inside(() => this.#statement(X, upstream));
    const right = this.#state.inside(() =>
      this.#statement(Y, {
        fedBy: [...new Set([...upstream.fedBy, ...left])],
        input: outputOf(
          [X],
          this.#state.surroundings(() => 0),
        ),
      }),
    );
    return [...left, ...right];
  }

  #loop({ Loop, Do }: Extract<CommandNode, { readonly type: "ForClause" }>, upstream: Upstream): Names {
    const names = [...this.#within(Loop, none)];
    this.#state.variables.blur(assignedIn({ type: "Block", Stmts: Do }));
    if (Loop.type === "WordIter") {
      const texts = this.#state.readings(Loop.Items).flatMap((words) => words.map(({ text }) => text));
      // Without `in` it goes through the arguments of the script.
      this.#state.variables.set(Loop.Name.Value, {
        texts: texts.length === 0 ? [unknown] : [...new Set(texts)],
        fedBy: names,
      });
    }
    return [...names, ...this.#state.branches([() => this.#statements(Do, upstream), () => []])];
  }

  #declare({ Variant, Args }: Extract<CommandNode, { readonly type: "DeclClause" }>, upstream: Upstream): Names {
    const fed = Args.flatMap((assign) => this.#within(assign, none));
    for (const assign of Args) this.#assign(assign, fed);
    const args = Args.flatMap((assign) => this.#state.declared(assign));
    this.#push(
      {
        name: Variant.Value,
        path: Variant.Value,
        args,
        directories: this.#state.directories,
        elsewhere: this.#elsewhere,
      },
      { fedBy: [...upstream.fedBy, ...fed], input: null },
    );
    return [...fed, Variant.Value];
  }

  #assign(assign: AssignNode, fedBy: Names): void {
    const name = assign.Name?.Value;
    if (name === undefined || assign.Naked) return;
    const texts =
      assign.Value === null
        ? [assign.Array === null && !assign.Append ? "" : unknown]
        : this.#state.texts(assign.Value);
    const isPart = assign.Append || assign.Index !== null || assign.Array !== null;
    const value: Value = {
      texts: isPart ? [unknown] : texts,
      fedBy: [...new Set([...fedBy, ...this.#state.sourcesOf(assign.Value)])],
    };
    if (name === "IFS") this.#state.splitsAtBlanks = false;
    this.#state.variables.set(name, value);
    for (const text of texts) this.#found.assignments.push({ name, value: wordOf(text) });
  }

  #call({ Assigns, Args }: CallNode, upstream: Upstream): Names {
    const fed = [
      ...Assigns.flatMap((assign) => this.#within(assign, none)),
      ...Args.flatMap((word) => this.#within(word, none)),
    ];
    if (Args.length === 0) {
      for (const assign of Assigns) this.#assign(assign, fed);
      return fed;
    }
    for (const { Name, Value } of Assigns)
      if (Name !== null)
        for (const text of Value === null ? [""] : this.#state.texts(Value))
          this.#found.assignments.push({ name: Name.Value, value: wordOf(text) });
    const fedBy = [...new Set([...upstream.fedBy, ...fed, ...Args.flatMap((word) => this.#state.sourcesOf(word))])];
    const names: string[] = [...fed];
    if (!this.#state.splitsAtBlanks && parametersIn(Args[0] as WordNode).length > 0) this.#found.opaque = true;
    const start = this.#state.directories;
    const ends = new Set<Directory>();
    for (const words of this.#state.readings(Args)) {
      this.#state.directories = start;
      names.push(...this.#run(words, { fedBy, input: upstream.input }));
      for (const directory of this.#state.directories) ends.add(directory);
    }
    this.#state.directories = [...ends].slice(0, 16);
    return names;
  }

  #run(words: readonly Word[], upstream: Upstream): Names {
    const unwrapped = unwrap(words, this.#state.directories, upstream.input);
    for (const command of unwrapped.commands)
      this.#push({ ...command, elsewhere: command.elsewhere || this.#elsewhere }, upstream);
    this.#found.foreign.push(...unwrapped.foreign);
    this.#found.assignments.push(...unwrapped.assignments);
    if (unwrapped.opaque) this.#found.opaque = true;
    if (unwrapped.wrapped) this.#found.wrapped = true;
    this.#queueScripts(unwrapped, upstream);
    this.#queueWritten(unwrapped);
    const [outer] = unwrapped.commands;
    const called = outer === undefined ? undefined : this.#functions.get(words[0]?.text ?? "");
    const names = unwrapped.commands.map(({ name }) => name);
    if (outer !== undefined) this.#state.change(outer.name, outer.args);
    for (const { name, args } of unwrapped.commands.slice(1))
      if (name === "cd" || name === "pushd") this.#state.change(name, args);
    return called === undefined ? names : [...names, ...this.#callFunction(words, called, upstream)];
  }

  #push(command: Omit<Command, "fedBy" | "input">, { fedBy, input }: Upstream): void {
    this.#budget.takeStep();
    this.#found.commands.push({ ...command, fedBy, input });
  }

  #queueScripts({ commands, scripts }: Unwrapped, { fedBy, input }: Upstream): void {
    for (const { text, directories, elsewhere } of scripts)
      this.#queueScript(text, directories, fedBy, elsewhere || this.#elsewhere);
    const reader = commands.find(readsProgram);
    if (reader === undefined || input === null) return;
    if (input.known)
      this.#queueScript(
        input.text,
        reader.directories,
        [],
        reader.elsewhere || reader.name === "ssh" || this.#elsewhere,
      );
    else this.#found.opaque = true;
  }

  #queueScript(text: string, directories: readonly Directory[], fedBy: Names, elsewhere: boolean): void {
    this.#queue.push({ text, directories, fedBy, variables: this.#state.variables.copy(), elsewhere });
  }

  #callFunction(words: readonly Word[], body: StatementNode, upstream: Upstream): Names {
    this.#called.add(words[0]?.text ?? "");
    if (this.#depthOfCalls >= maxDepthOfCalls) return [];
    this.#depthOfCalls++;
    const args = words.slice(1).map(({ text }) => text);
    for (const name of ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
      this.#state.variables.set(name, { texts: [args[Number(name) - 1] ?? ""], fedBy: [] });
    const all = { texts: [args.join(" ")], fedBy: [] };
    this.#state.variables.set("@", all);
    this.#state.variables.set("*", all);
    const names = this.#statement(body, upstream);
    for (const name of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "@", "*"]) this.#state.variables.forget(name);
    this.#depthOfCalls--;
    return names;
  }

  /** Runs the substitutions inside a word or another node. */
  #within(node: ShellNode | null, upstream: Upstream): Names {
    if (node === null) return [];
    switch (node.type) {
      case "Lit":
      case "SglQuoted":
        return [];
      case "CmdSubst":
      case "ProcSubst":
        return this.#state.inside(() => this.#statements(node.Stmts, upstream));
      case "ExtGlob":
        // The parser leaves what is inside unread.
        if (/[$`<>]/.test(node.Pattern.Value)) this.#found.opaque = true;
        return [];
      default:
        return childrenOf(node).flatMap((child) => this.#within(child, upstream));
    }
  }
}
