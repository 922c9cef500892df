import type { SyntaxNode, Tree } from "@lezer/common";
import { childrenOf, madeOf, sizeOf } from "./elements.ts";
import { type Call, type EndlessLoop, maxDepth, maxNodes, type Program, TooLarge } from "./program.ts";
import { isPlausible, moduleName, unquoted } from "./text.ts";
import { type Reader, writtenText } from "./written-text.ts";

type Language = Program["language"];

/** Parses with lezer's grammars, which step over errors. Loaded with the first program: some 20 ms. Throws `TooLarge`. */
export const readProgram = async (text: string, language: Language): Promise<Program> => {
  if (!isPlausible(text)) throw new TooLarge();
  const { parser } = language === "python" ? await import("@lezer/python") : await import("@lezer/javascript");
  // A step reads one token; hostile texts need many more steps than characters.
  const parse = (
    language === "javascript" ? (parser.configure({ dialect: "ts" }) as typeof parser) : parser
  ).startParse(text);
  let tree: Tree | null = null;
  for (let step = 0; tree === null; step++) {
    if (step > maxNodes) throw new TooLarge();
    tree = parse.advance();
  }
  return new Reading(text, language).program(tree);
};

class Reading {
  readonly #text: string;
  readonly #language: Language;
  readonly #aliases = new Map<string, string>();
  readonly #constants = new Map<string, string>();
  readonly #source = (node: SyntaxNode): string => this.#of(node);
  readonly #reader: Reader = {
    source: this.#source,
    dotted: (node) => this.#dotted(node),
    constant: (name) => this.#constants.get(name) ?? null,
  };
  readonly #modules = new Set<string>();
  readonly #names = new Set<string>();
  readonly #calls: Call[] = [];
  readonly #texts: string[] = [];
  readonly #loops: EndlessLoop[] = [];
  #elements = 0;
  #errors = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
  }

  program(tree: Tree): Program {
    let left = maxNodes;
    let depth = 0;
    const nodes: SyntaxNode[] = [];
    tree.iterate({
      enter: (ref) => {
        if (--left < 0 || ++depth > maxDepth) throw new TooLarge();
        if (ref.type.isError) this.#errors++;
        nodes.push(ref.node);
      },
      leave: () => {
        depth--;
      },
    });
    // Imports first: a name may be used above the line that brings it.
    for (const node of nodes) this.#import(node);
    for (const node of nodes) this.#visit(node);
    return {
      language: this.#language,
      calls: this.#calls,
      names: this.#names,
      modules: this.#modules,
      texts: this.#texts,
      loops: this.#loops,
      elements: this.#elements,
      errors: this.#errors,
    };
  }

  #of(node: SyntaxNode): string {
    return this.#text.slice(node.from, node.to);
  }

  #import(node: SyntaxNode): void {
    if (node.name === "ImportStatement") this.#pythonImport(node);
    else if (node.name === "ImportDeclaration") this.#scriptImport(node);
    else if (node.name === "VariableDeclaration" || node.name === "AssignStatement") this.#assigned(node);
  }

  #pythonImport(node: SyntaxNode): void {
    const parts = childrenOf(node).filter(({ name }) => name !== "(" && name !== ")");
    let from = "";
    let at = 0;
    if (parts[0]?.name === "from") {
      for (at = 1; at < parts.length && parts[at]!.name !== "import"; at++) from += this.#of(parts[at]!);
      this.#modules.add(from);
      from += ".";
    }
    for (at++; at < parts.length; at++) {
      let name = this.#of(parts[at]!);
      while (parts[at + 1]?.name === "." && parts[at + 2] !== undefined) {
        name += `.${this.#of(parts[at + 2]!)}`;
        at += 2;
      }
      let alias = name.split(".", 1)[0]!;
      let target = from + (from === "" ? alias : name);
      if (parts[at + 1]?.name === "as" && parts[at + 2] !== undefined) {
        alias = this.#of(parts[at + 2]!);
        target = from + name;
        at += 2;
      }
      if (from === "") this.#modules.add(name);
      this.#aliases.set(alias, target);
      if (parts[at + 1]?.name === ",") at++;
    }
  }

  #scriptImport(node: SyntaxNode): void {
    const source = node.getChild("String");
    if (source === null) return;
    const module = moduleName(unquoted(this.#of(source)) ?? "?");
    this.#modules.add(module);
    for (const child of childrenOf(node)) {
      if (child.name === "VariableDefinition") this.#aliases.set(this.#of(child), module);
      if (child.name === "ImportGroup") this.#group(child, module);
    }
  }

  /** `{ exec as run, spawn }` */
  #group(node: SyntaxNode, module: string): void {
    let name = "";
    for (const child of childrenOf(node)) {
      if (child.name === "VariableName" || child.name === "PropertyName") name = this.#of(child);
      if (child.name === "VariableDefinition") {
        this.#aliases.set(this.#of(child), `${module}.${name === "" ? this.#of(child) : name}`);
        name = "";
      }
    }
  }

  /** `const cp = require("child_process")`, `const { exec: run } = require(...)`, `f = os.system` */
  #assigned(node: SyntaxNode): void {
    const [target, , value] = childrenOf(node).filter(({ name }) => !["const", "let", "var"].includes(name));
    if (target === undefined || value === undefined) return;
    const text = writtenText(value, this.#reader);
    if (text !== null && /^Variable/.test(target.name)) this.#constants.set(this.#of(target), text);
    const source = this.#dotted(value.name === "AwaitExpression" ? (value.lastChild ?? value) : value);
    if (source === "?" || source === "" || source.endsWith(")")) return;
    if (target.name === "VariableDefinition" || target.name === "VariableName") {
      if (source !== this.#of(target)) this.#aliases.set(this.#of(target), source);
    } else if (target.name === "ObjectPattern")
      for (const property of target.getChildren("PatternProperty")) {
        const [name, , local] = childrenOf(property);
        if (name !== undefined) this.#aliases.set(this.#of(local ?? name), `${source}.${this.#of(name)}`);
      }
  }

  #visit(node: SyntaxNode): void {
    switch (node.name) {
      case "CallExpression":
      case "NewExpression":
      case "DynamicImport":
        this.#call(node);
        return;
      case "TaggedTemplateExpression":
        // A line for a shell, in zx and in Bun; `$()` is jQuery's.
        if (/^(?:\w+\.)?\$$/.test(this.#dotted(node.firstChild)))
          this.#calls.push({ name: "zx.$", args: [], written: [], named: [], source: "" });
        return;
      case "MemberExpression":
      case "VariableName":
        // An inner part of a chain is a part of the chain's name.
        if (node.parent?.name !== "MemberExpression" || node.prevSibling !== null) this.#names.add(this.#dotted(node));
        return;
      case "String":
      case "FormatString":
      case "TemplateString":
        this.#texts.push(unquoted(this.#of(node)) ?? "");
        return;
      case "BinaryExpression":
        this.#elements = Math.max(this.#elements, madeOf(node, this.#source));
        return;
      case "WhileStatement":
      case "ForStatement":
        this.#loop(node);
    }
  }

  #call(node: SyntaxNode): void {
    const callee = node.name === "DynamicImport" ? "import" : this.#dotted(calleeOf(node));
    const list = node.getChild("ArgList") ?? node;
    const args: (string | number | null)[] = [];
    const named: string[] = [];
    const receiver = node.firstChild?.name === "MemberExpression" ? node.firstChild.firstChild : null;
    const written = receiver === null ? [] : [writtenText(receiver, this.#reader)];
    const parts = childrenOf(list).filter(({ name }) => !["(", ")", ",", "import", "new"].includes(name));
    for (let at = 0; at < parts.length && at < 64; at++) {
      const part = parts[at]!;
      if (list === node && part.name !== "String" && part.name !== "VariableName" && node.name !== "DynamicImport")
        continue;
      if (parts[at + 1]?.name === "AssignOp") {
        named.push(this.#of(part));
        at += 2;
        continue;
      }
      if (part.name === "ObjectExpression")
        named.push(...part.getChildren("Property").map((property) => this.#of(property.firstChild ?? property)));
      args.push(this.#literal(part));
      written.push(writtenText(part, this.#reader));
    }
    this.#names.add(callee);
    this.#calls.push({
      name: callee,
      args,
      written: written.filter((text) => text !== null),
      named,
      source: this.#text.slice(node.from, Math.min(node.to, node.from + 512)),
    });
    const [first] = args;
    if (
      /(?:^|\.)(?:Array|bytearray|bytes|range|Buffer\.alloc|Buffer\.allocUnsafe|ArrayBuffer|Uint8Array)$/.test(callee)
    ) {
      const size = parts[0] === undefined ? 0 : sizeOf(parts[0], this.#source);
      if (!callee.endsWith("range") || node.parent?.parent?.name === "CallExpression")
        this.#elements = Math.max(this.#elements, size);
    }
    if (/\.(?:repeat|padEnd|padStart|fill)$/.test(callee) && typeof first === "number")
      this.#elements = Math.max(this.#elements, first);
    if (/(?:numpy|np)\.(?:zeros|ones|empty|full)$/.test(callee) && parts[0] !== undefined)
      this.#elements = Math.max(
        this.#elements,
        childrenOf(parts[0]).reduce(
          (product, child) => product * Math.max(1, sizeOf(child, this.#source)),
          sizeOf(parts[0], this.#source) || 1,
        ),
      );
  }

  #literal(node: SyntaxNode): string | number | null {
    if (node.name === "String") return unquoted(this.#of(node));
    if (node.name === "TemplateString" && node.firstChild === null) return unquoted(this.#of(node));
    if (node.name === "Number") return Number(this.#of(node).replaceAll("_", ""));
    if (node.name === "BinaryExpression") return sizeOf(node, this.#source) || null;
    return null;
  }

  /** `a.b.c` with what is imported put in. */
  #dotted(node: SyntaxNode | null, depth = 0): string {
    if (node === null || depth > 32) return "?";
    switch (node.name) {
      case "VariableName":
        return this.#aliases.get(this.#of(node)) ?? this.#of(node);
      case "ParenthesizedExpression":
        return this.#dotted(node.firstChild?.nextSibling ?? null, depth + 1);
      case "this":
      case "self":
        return node.name;
      case "AwaitExpression":
        return this.#dotted(node.lastChild, depth + 1);
      case "MemberExpression": {
        const object = this.#dotted(node.firstChild, depth + 1);
        const member = node.lastChild;
        // `sys.modules["os"]` is os.
        const named = member?.name === "]" ? writtenText(childrenOf(node).at(-2)!, this.#reader) : null;
        if (object === "sys.modules" && typeof named === "string") return named;
        if (member?.name === "PropertyName" || member?.name === "PrivatePropertyName")
          return this.#of(member) === "__dict__" ? object : `${object}.${this.#of(member)}`;
        return typeof named === "string" ? `${object}.${named}` : `${object}.?`;
      }
      case "DynamicImport":
      case "CallExpression":
      case "NewExpression":
        return this.#result(node, depth);
      case "String":
        return "''";
      case "TupleExpression":
      case "ArrayExpression":
      case "DictionaryExpression":
        return "()";
      default:
        return "?";
    }
  }

  /** What a call stands for, where it is another way to name something: `__import__("os")`, `getattr(os, "system")`. */
  #result(node: SyntaxNode, depth: number): string {
    const callee = node.name === "DynamicImport" ? "import" : this.#dotted(calleeOf(node), depth + 1);
    const list = node.getChild("ArgList") ?? node;
    const parts = childrenOf(list).filter(({ name }) => !["(", ")", ",", "import"].includes(name));
    const text = parts[0] === undefined ? null : this.#literal(parts[0]);
    if (
      /^(?:__import__|importlib\.import_module|builtins\.__import__|require|import|(?:process|global\.process)\.mainModule\.require|process\.getBuiltinModule|(?:module\.constructor|Module|module\.Module)\._load)$/.test(
        callee,
      )
    ) {
      if (typeof text !== "string") return "?";
      this.#modules.add(moduleName(text));
      return moduleName(text);
    }
    if (callee === "vars" && parts[0] !== undefined) return this.#dotted(parts[0], depth + 1);
    if (callee === "getattr" && parts[0] !== undefined) {
      const member = parts[1] === undefined ? null : this.#literal(parts[1]);
      return `${this.#dotted(parts[0], depth + 1)}.${typeof member === "string" ? member : "?"}`;
    }
    return `${callee}()`;
  }

  #loop(node: SyntaxNode): void {
    const body = node.getChild("Body") ?? node.getChild("Block") ?? node.lastChild;
    if (body === null) return;
    const condition = this.#text.slice(node.from, body.from).replaceAll(/\s/g, "");
    if (!/^(?:while\(?(?:True|true|1|!0|not0|notFalse)\)?:?|for\(;;\))$/.test(condition)) return;
    const calls: string[] = [];
    let leaves = false;
    body.cursor().iterate((ref) => {
      if (
        /^(?:BreakStatement|ReturnStatement|RaiseStatement|ThrowStatement|YieldStatement|YieldExpression|AwaitExpression|YieldStatement|TryStatement|break|return|raise|throw|yield|await)$/.test(
          ref.name,
        )
      )
        leaves = true;
      if (ref.name === "CallExpression") calls.push(this.#dotted(calleeOf(ref.node)));
    });
    this.#loops.push({ leaves, calls });
  }
}

const calleeOf = (node: SyntaxNode): SyntaxNode | null =>
  node.name === "NewExpression" ? (node.firstChild?.nextSibling ?? null) : node.firstChild;
