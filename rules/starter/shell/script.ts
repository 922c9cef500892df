import { afterChange, type Directory } from "./directories.ts";
import { parseShell, type ShellTree, Unparseable } from "./parse.ts";
import {
  type BinaryNode,
  type CallNode,
  type FunctionNode,
  operator,
  type RedirectNode,
  type ShellNode,
  type StatementNode,
} from "./tree.ts";
import { unwrap } from "./unwrap.ts";
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
const maxCommands = 2_000;

/** Every command in a script, through pipes, lists, subshells, substitutions, here-documents, wrappers and `-c`. Throws `Unparseable`. */
export const readScript = async (text: string): Promise<Script> => {
  const found: Gathered = { commands: [], redirects: [], opaque: false, multiplies: false };
  const queue: Pending[] = [{ text, directories: [null], fedBy: [] }];
  for (let read = 0; read < queue.length; read++) {
    if (read >= maxScripts || found.commands.length > maxCommands) throw new Unparseable();
    const pending = queue[read]!;
    gather(await parseShell(pending.text), pending, found, queue);
  }
  return found;
};

/** The same of an argument list that no shell reads before it runs. */
export const readArguments = async (argv: readonly string[]): Promise<Script> => {
  const { commands, scripts, opaque } = unwrap(argv.map((text) => wordOf(text.replaceAll(unknown, ""))));
  const own = commands.map((command) => ({ ...command, directories: [null], fedBy: [] }));
  const inner = await Promise.all(scripts.map(readScript));
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
  readonly words: readonly Word[];
  readonly from: number;
  readonly to: number;
  readonly directories: readonly Directory[];
}

interface Span {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

const gather = (tree: ShellTree, pending: Pending, found: Gathered, queue: Pending[]): void => {
  const calls: Placed[] = [];
  const pipes: Span[] = [];
  const scopes: { readonly restores: readonly Directory[] | null }[] = [];
  let directories = pending.directories;
  tree.walk(tree.root, (node) => {
    if (node === null) {
      directories = scopes.pop()?.restores ?? directories;
      return;
    }
    const type = tree.typeOf(node);
    const isScope = type === "Subshell" || type === "CmdSubst" || type === "ProcSubst";
    scopes.push({ restores: isScope ? directories : null });
    if (type === "CallExpr") {
      const words = (node as CallNode).Args.map((word) => evaluateWord(tree, word));
      calls.push({ words, from: node.Pos().Offset(), to: node.End().Offset(), directories });
      const change = unwrap(words).commands.find(({ name }) => name === "cd" || name === "pushd");
      if (change !== undefined)
        directories = afterChange(
          directories,
          change.args.find(({ text }) => !/^-[A-Za-z@]/.test(text)),
        );
    } else if (type === "BinaryCmd") {
      const { Op, X, Y } = node as BinaryNode;
      if (Op === operator.pipe || Op === operator.pipeAll) pipes.push({ left: spanOf(X), right: spanOf(Y) });
    } else if (type === "Stmt") {
      gatherRedirects(tree, node as StatementNode, directories, found, queue);
    } else if (type === "FuncDecl" && multiplies(tree, node as FunctionNode)) found.multiplies = true;
  });
  for (const call of calls) gatherCall(call, calls, pipes, pending, found, queue);
};

const gatherCall = (
  call: Placed,
  calls: readonly Placed[],
  pipes: readonly Span[],
  pending: Pending,
  found: Gathered,
  queue: Pending[],
): void => {
  const { commands, scripts, opaque } = unwrap(call.words);
  const upstream = pipes.filter(({ right }) => inside(call, right)).map(({ left }) => left);
  const feeding = calls.filter(
    (other) => upstream.some((left) => inside(other, left)) || (other !== call && inside(other, [call.from, call.to])),
  );
  const fedBy = [...pending.fedBy, ...feeding.flatMap(({ words }) => unwrap(words).commands.map(({ name }) => name))];
  for (const command of commands) found.commands.push({ ...command, directories: call.directories, fedBy });
  for (const text of scripts) queue.push({ text, directories: call.directories, fedBy });
  if (opaque) found.opaque = true;
};

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

/** A function that starts itself twice at once, by a pipe or in the background, under any name. */
const multiplies = (tree: ShellTree, { Name, Body }: FunctionNode): boolean => {
  let selfCalls = 0;
  let atOnce = false;
  tree.walk(Body, (node) => {
    if (node === null) return;
    const type = tree.typeOf(node);
    if (type === "CallExpr" && (node as CallNode).Args[0] !== undefined)
      selfCalls += evaluateWord(tree, (node as CallNode).Args[0]!).text === Name.Value ? 1 : 0;
    if (type === "BinaryCmd")
      atOnce ||= (node as BinaryNode).Op === operator.pipe || (node as BinaryNode).Op === operator.pipeAll;
    if (type === "Stmt") atOnce ||= (node as StatementNode).Background;
  });
  return selfCalls >= 2 && atOnce;
};

const spanOf = (node: ShellNode): readonly [number, number] => [node.Pos().Offset(), node.End().Offset()];
const inside = ({ from, to }: Placed, [start, end]: readonly [number, number]): boolean => from >= start && to <= end;
