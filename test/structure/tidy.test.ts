import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTest, root, sourceFiles, textFiles, textOf } from "./sources/files.ts";
import { nodesOf, type SyntaxNode } from "./sources/syntax.ts";

const mostLines = 350;

/** A test that is one of these does not run, or keeps others from running. */
const unrun = new Set(["skip", "only", "todo", "skipIf", "runIf", "fails"]);
const testNames = new Set(["it", "test", "describe", "suite"]);

const nameAtRoot = (node: unknown): unknown => {
  const { type, name, object, callee } = node as SyntaxNode;
  if (type === "Identifier") return name;
  if (type === "MemberExpression") return nameAtRoot(object);
  return type === "CallExpression" ? nameAtRoot(callee) : undefined;
};

const unrunTests = (path: string): readonly string[] =>
  nodesOf(path, textOf(path)).flatMap((node) => {
    if (node.type !== "MemberExpression") return [];
    const property = (node.property as SyntaxNode).name;
    return unrun.has(String(property)) && testNames.has(String(nameAtRoot(node.object)))
      ? [`${path}: .${property}`]
      : [];
  });

/** Words put together here, so that this file does not hold what it looks for. */
const unfinished = ["TO" + "DO", "FIX" + "ME", "HA" + "CK", "X" + "XX"];
const machinePaths = ["work", "tmp/brief"].map((name) => `/${name}/`).concat(`.${"library"}`);
/** Rules and their tests name paths that are secret on any machine, such as those of its root user; nothing else does. */
const machinePathsIn = (path: string): readonly string[] =>
  path.startsWith("rules/") ? machinePaths : [...machinePaths, `/${"root"}/`];

const holding = (path: string, words: readonly string[], asWord: boolean): readonly string[] => {
  const text = textOf(path);
  return words
    .filter((word) => (asWord ? new RegExp(`\\b${word}\\b`).test(text) : text.includes(word)))
    .map((word) => `${path}: ${word}`);
};

/** The parts of the daemon. A new folder is a decision: it gets its line here and in the documents. */
const daemonFolders: Readonly<Record<string, string>> = {
  commands: "what the interlock command does",
  config: "where settings come from",
  contracts: "tool contracts and policies as data",
  coordination: "locks and rate limits",
  engine: "event and state in, decision and trace out",
  fallback: "the policy that clients decide by while the daemon is away: reading, signing, publishing",
  gates: "one file for each stage of judging",
  identity: "who acts: principals, and the tokens that bind a connection to one",
  keys: "reading, writing and using keys",
  ledger: "receipts, hash chain, proofs",
  operator: "HTTP API, tokens, metrics",
  rulesets: "signing, verifying, loading, reloading",
  scan: "argument and response scanners",
  scopes: "policies with parameters, bound to paths of principals",
  socket: "listener, connection, frame loop",
  stops: "the kill switch: everything is blocked until somebody lifts it",
  store: "where the ledger and the state are kept",
  supervisor: "what watches the engine from outside",
  surfaces: "baselines, drift, quarantine",
  transactions: "statuses, resume, recovery",
};

describe("the project", () => {
  it(`has no source file of more than ${mostLines} lines`, () => {
    const long = sourceFiles
      .filter((path) => !isTest(path))
      .map((path) => ({ path, lines: textOf(path).split("\n").length - 1 }))
      .filter(({ lines }) => lines > mostLines);
    expect(long).toEqual([]);
  });

  it("has no test that is skipped, singled out or to do", () => {
    expect(sourceFiles.filter(isTest).flatMap(unrunTests)).toEqual([]);
  });

  it("has no mark of unfinished work", () => {
    expect(textFiles.flatMap((path) => holding(path, unfinished, true))).toEqual([]);
  });

  it("names no path of the machine it was written on", () => {
    expect(textFiles.flatMap((path) => holding(path, machinePathsIn(path), false))).toEqual([]);
  });

  it("has only folders of the daemon that have a name in the design", () => {
    const folders = readdirSync(join(root, "daemon"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const unnamed = folders.map(({ name }) => name).filter((name) => !Object.hasOwn(daemonFolders, name));
    expect(unnamed).toEqual([]);
  });
});
