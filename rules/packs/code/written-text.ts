import type { SyntaxNode } from "@lezer/common";
import { unquoted } from "./text.ts";

/** How names are told in the program at hand: what a node says, and the name that it stands for. */
export interface Reader {
  source(node: SyntaxNode): string;
  dotted(node: SyntaxNode): string;
  /** The text that a variable was given, where it was written out. */
  constant(name: string): string | null;
}

const maxDepth = 32;
const maxCharacters = 4_096;

/** Homes of people, by the names that both languages have for them. */
const homes =
  /^(?:(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)|homedir\(\)|os\.environ\.(?:HOME|USERPROFILE)|process\.env\.(?:HOME|USERPROFILE)|Deno\.env\.get\(\))$/;
/** Calls that join their arguments to one path. */
const joining =
  /^(?:os\.path\.join|path(?:\.posix|\.win32)?\.(?:join|resolve)|(?:pathlib\.)?(?:Pure)?(?:Posix|Windows)?Path|\?\.joinpath|(?:pathlib\.)?Path\(\)\.joinpath)$/;
/** Calls that hand on their argument as a path. */
const same =
  /^(?:str|os\.path\.(?:expanduser|expandvars|abspath|realpath|normpath)|path\.normalize|os\.fspath|fileURLToPath|url\.fileURLToPath)$/;

/**
 * The text that an expression makes, as far as it is written out: `"/etc/" + "shadow"`, `Path.home() / ".ssh" / "id_rsa"`,
 * `os.path.join(os.homedir(), ".aws")`. A home is `~`; null where a part is known to the running program alone.
 */
export const writtenText = (node: SyntaxNode, reader: Reader, depth = 0): string | null => {
  if (depth > maxDepth) return null;
  const inner = (child: SyntaxNode | null | undefined): string | null =>
    child === null || child === undefined ? null : writtenText(child, reader, depth + 1);
  switch (node.name) {
    case "String":
      return unquoted(reader.source(node));
    case "TemplateString":
    case "FormatString":
      return ofTemplate(node, reader, inner);
    case "ParenthesizedExpression":
      return inner(node.firstChild?.nextSibling);
    case "BinaryExpression": {
      const [left, right] = [inner(node.firstChild), inner(node.lastChild)];
      const operator = node.firstChild?.nextSibling;
      if (left === null || right === null || operator === null || operator === undefined) return null;
      const sign = reader.source(operator);
      if (sign === "+") return shortened(left + right);
      return sign === "/" ? joined([left, right]) : null;
    }
    case "VariableName":
      return reader.constant(reader.source(node)) ?? (homes.test(reader.dotted(node)) ? "~" : null);
    case "MemberExpression":
      return homes.test(reader.dotted(node)) ? "~" : null;
    case "CallExpression":
    case "NewExpression":
      return ofCall(node, reader, inner);
    default:
      return null;
  }
};

type Inner = (child: SyntaxNode | null | undefined) => string | null;

const ofCall = (node: SyntaxNode, reader: Reader, inner: Inner): string | null => {
  const name = reader.dotted(node).replace(/\(\)$/, "");
  if (homes.test(`${name}()`)) return "~";
  const list = node.getChild("ArgList");
  if (list === null) return null;
  const args = partsOf(list);
  if (same.test(name)) return args.length > 0 ? inner(args[0]) : null;
  if (!joining.test(name)) return null;
  const callee = node.firstChild;
  const before = name.endsWith("joinpath") ? [inner(callee?.firstChild)] : [];
  const texts = [...before, ...args.map(inner)];
  return texts.length > 0 && texts.every((text) => text !== null) ? joined(texts as readonly string[]) : null;
};

const ofTemplate = (node: SyntaxNode, reader: Reader, inner: Inner): string | null => {
  const source = reader.source(node);
  let text = "";
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Interpolation" && child.name !== "FormatReplacement") continue;
    const value = inner(child.firstChild?.nextSibling);
    if (value === null) return null;
    text += source.slice(at - node.from, child.from - node.from) + value;
    at = child.to;
  }
  return unquoted(text + source.slice(at - node.from));
};

const joined = (texts: readonly string[]): string | null =>
  shortened(texts.reduce((path, text) => (/^[/~]/.test(text) ? text : `${path.replace(/\/$/, "")}/${text}`)));

const shortened = (text: string): string | null => (text.length > maxCharacters ? null : text);

const partsOf = (list: SyntaxNode): readonly SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = list.firstChild; child !== null && found.length < 64; child = child.nextSibling)
    if (!["(", ")", ","].includes(child.name)) found.push(child);
  return found;
};
