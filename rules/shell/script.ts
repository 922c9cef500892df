import { afterChange, type Directory } from "./directories.ts";
import { parseShell, ReadingBudget, type ShellTree, Unparseable } from "./parse.ts";
import {
  type BinaryNode,
  type CallNode,
  type FunctionNode,
  operator,
  type RedirectNode,
  type ShellNode,
  type StatementNode,
} from "./tree.ts";
import { type Unwrapped, unwrap } from "./unwrap.ts";
import { evaluateWord, unknown, type Word, wordOf } from "./word.ts";
import { shells } from "./wrappers.ts";

/** One command that a script may run, wherever in it it stands. */
export interface Command {
  /** Bare, in lower case; wrappers and what they wrap are commands of their own. */
  readonly name: string;
  readonly args: readonly Word[];
  /** Where it may run. */
  readonly directories: readonly Directory[];
  /** Names of the commands whose output it reads through a pipe or is given by a substitution. */
  readonly fedBy: readonly string[];
}

export interface Redirect {
  readonly target: Word;
  readonly directories: readonly Directory[];
  readonly writes: boolean;
}

export interface Script {
  readonly commands: readonly Command[];
  readonly redirects: readonly Redirect[];
  /** Something is run that cannot be read here. */
  readonly opaque: boolean;
  /** A function starts itself twice: a fork bomb. */
  readonly multiplies: boolean;
}

const maxScripts = 32;

/** Every command in a script, through pipes, lists, subshells, substitutions, here-documents, wrappers and `-c`. Throws `Unparseable`. */
export const readScript = async (text: string, budget: ReadingBudget = new ReadingBudget()): Promise<Script> => {
  const found: Gathered = { commands: [], redirects: [], opaque: false, multiplies: false };
  const queue: Pending[] = [{ text, directories: [null], fedBy: [] }];
  for (let read = 0; read < queue.length; read++) {
    if (queue.length > maxScripts) throw new Unparseable();
    const pending = queue[read]!;
    gather(await parseShell(pending.text, budget), pending, found, queue);
  }
  return found;
};

/** The same of an argument list that no shell reads before it runs. */
export const readArguments = async (argv: readonly string[]): Promise<Script> => {
  const budget = new ReadingBudget();
  for (const text of argv) {
    budget.takeText(text);
    budget.takeNode();
  }
  const { commands, scripts, opaque } = unwrap(argv.map((text) => wordOf(text.replaceAll(unknown, ""))));
  const own = commands.map((command) => ({ ...command, directories: [null], fedBy: [] }));
  if (scripts.length > maxScripts) throw new Unparseable();
  const inner: Script[] = [];
  for (const text of scripts) inner.push(await readScript(text, budget));
  return {
    commands: [...own, ...inner.flatMap((script) => script.commands)],
    redirects: inner.flatMap((script) => script.redirects),
    opaque: opaque || inner.some((script) => script.opaque),
    multiplies: inner.some((script) => script.multiplies),
  };
};

interface Pending {
  readonly text: string;
  readonly directories: readonly Directory[];
  readonly fedBy: readonly string[];
}

interface Gathered {
  commands: Command[];
  redirects: Redirect[];
  opaque: boolean;
  multiplies: boolean;
}

interface Placed {
  readonly unwrapped: Unwrapped;
  readonly from: number;
  readonly to: number;
  readonly directories: readonly Directory[];
}

/** What ends where a node does. */
interface Scope {
  readonly restores: readonly Directory[] | null;
  /** A function; under any name, one that starts itself twice at once, by a pipe or in the background, multiplies. */
  readonly declares: { readonly name: string; selfCalls: number; atOnce: boolean } | null;
}

interface Span {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

const gather = (tree: ShellTree, pending: Pending, found: Gathered, queue: Pending[]): void => {
  const calls: Placed[] = [];
  const pipes: Span[] = [];
  const scopes: Scope[] = [];
  let directories = pending.directories;
  tree.walk(tree.root, (node) => {
    if (node === null) {
      const scope = scopes.pop();
      directories = scope?.restores ?? directories;
      if (scope?.declares?.atOnce === true && scope.declares.selfCalls >= 2) found.multiplies = true;
      return;
    }
    const type = tree.typeOf(node);
    const isScope = type === "Subshell" || type === "CmdSubst" || type === "ProcSubst";
    const inFunctions = scopes.flatMap(({ declares }) => declares ?? []);
    scopes.push({
      restores: isScope ? directories : null,
      declares: type === "FuncDecl" ? { name: (node as FunctionNode).Name.Value, selfCalls: 0, atOnce: false } : null,
    });
    if (type === "CallExpr") {
      const words = (node as CallNode).Args.map((word) => evaluateWord(tree, word));
      const unwrapped = unwrap(words);
      calls.push({ unwrapped, from: node.Pos().Offset(), to: node.End().Offset(), directories });
      for (const declared of inFunctions) if (words[0]?.text === declared.name) declared.selfCalls += 1;
      const change = unwrapped.commands.find(({ name }) => name === "cd" || name === "pushd");
      if (change !== undefined)
        directories = afterChange(
          directories,
          change.args.find(({ text }) => !/^-[A-Za-z@]/.test(text)),
        );
    } else if (type === "BinaryCmd") {
      const { Op, X, Y } = node as BinaryNode;
      if (Op !== operator.pipe && Op !== operator.pipeAll) return;
      pipes.push({ left: spanOf(X), right: spanOf(Y) });
      for (const declared of inFunctions) declared.atOnce = true;
    } else if (type === "Stmt") {
      if ((node as StatementNode).Background) for (const declared of inFunctions) declared.atOnce = true;
      gatherRedirects(tree, node as StatementNode, directories, found, queue);
      pipes.push(...pipesOf(node as StatementNode));
    }
  });
  gatherCalls(calls, pipes, pending, found, queue);
};

const gatherCalls = (
  calls: readonly Placed[],
  pipes: readonly Span[],
  pending: Pending,
  found: Gathered,
  queue: Pending[],
): void => {
  const namesOf = (fed: readonly Placed[]): readonly string[] =>
    fed.flatMap(({ unwrapped }) => unwrapped.commands.map(({ name }) => name));
  const feeding = pipes.map(({ left, right }) => ({
    right,
    names: namesOf(calls.filter((call) => inside(call, left))),
  }));
  for (const call of calls) {
    const fedBy = new Set(pending.fedBy);
    for (const { right, names } of feeding) if (inside(call, right)) for (const name of names) fedBy.add(name);
    const within = calls.filter((other) => other !== call && inside(other, [call.from, call.to]));
    for (const name of namesOf(within)) fedBy.add(name);
    const { commands, scripts, opaque } = call.unwrapped;
    const { directories } = call;
    for (const command of commands) found.commands.push({ ...command, directories, fedBy: [...fedBy] });
    for (const text of scripts) queue.push({ text, directories, fedBy: [...fedBy] });
    if (opaque) found.opaque = true;
  }
};

/** `a < <(b)` reads what b writes, and `a > >(b)` the other way: pipes under another name. */
const pipesOf = ({ Cmd, Redirs }: StatementNode): readonly Span[] =>
  Cmd === null
    ? []
    : Redirs.filter(({ Word: word }) => word !== null).map(({ Op, Word: word }) =>
        operator.writing.includes(Op)
          ? { left: spanOf(Cmd), right: spanOf(word) }
          : { left: spanOf(word), right: spanOf(Cmd) },
      );

const gatherRedirects = (
  tree: ShellTree,
  { Cmd, Redirs }: StatementNode,
  directories: readonly Directory[],
  found: Gathered,
  queue: Pending[],
): void => {
  for (const redirect of Redirs) {
    const isDocument = operator.hereDocument.includes(redirect.Op);
    if (isDocument || redirect.Op === operator.hereString) {
      if (readsScript(tree, Cmd)) gatherStandardInput(tree, redirect, isDocument, directories, found, queue);
      continue;
    }
    const writes = operator.writing.includes(redirect.Op);
    found.redirects.push({ target: evaluateWord(tree, redirect.Word), directories, writes });
  }
};

/** `sh <<EOF` and `bash <<< TEXT` run what they are given. */
const gatherStandardInput = (
  tree: ShellTree,
  { Word: word, Hdoc }: RedirectNode,
  isDocument: boolean,
  directories: readonly Directory[],
  found: Gathered,
  queue: Pending[],
): void => {
  const body = isDocument ? Hdoc : word;
  const { text, known } = body === null ? wordOf("") : evaluateWord(tree, body);
  if (known) queue.push({ text, directories, fedBy: [] });
  else found.opaque = true;
};

/** What runs its standard input: a shell, and `source /dev/stdin`. */
const takesScript: ReadonlySet<string> = new Set([...shells, "source", "."]);

const readsScript = (tree: ShellTree, command: ShellNode | null): boolean =>
  command !== null &&
  tree.typeOf(command) === "CallExpr" &&
  unwrap((command as CallNode).Args.map((word) => evaluateWord(tree, word))).commands.some(({ name }) =>
    takesScript.has(name),
  );

const spanOf = (node: ShellNode): readonly [number, number] => [node.Pos().Offset(), node.End().Offset()];
const inside = ({ from, to }: Placed, [start, end]: readonly [number, number]): boolean => from >= start && to <= end;
