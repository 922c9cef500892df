import type { WireObject, WireValue } from "../../wire/value.ts";
import { RuleDefinitionError } from "../definition-error.ts";

/**
 * A path into arguments: `amount`, `order.total`, `items[2].url`, `items[].amount` (any element), and `["a.b"]` for a
 * name that is not made of letters, digits, `_`, `-` and `$`.
 */
export type Segment = { readonly name: string } | { readonly index: number } | { readonly each: true };

export interface ArgumentPath {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/**
 * What stands at a path. `missing`: nothing does. `misshapen`: what is above it has no such members (a text or a list
 * where an object is read); nobody can say what a tool would make of it.
 */
export type Found =
  | { readonly loc: string; readonly kind: "value"; readonly value: WireValue }
  | { readonly loc: string; readonly kind: "missing" | "misshapen" };

const maxPathLength = 512;
const maxSegments = 32;
const plainName = /^[A-Za-z0-9_$-]+/;
const segmentForm = /^(?:\[\]|\[(?:0|[1-9][0-9]{0,8})\]|\["(?:[^"\\]|\\.)*"\])/;

/** @param where what the message begins with. Throws `RuleDefinitionError`. */
export const argumentPath = (text: unknown, where: string): ArgumentPath => {
  const segments = typeof text === "string" && text.length <= maxPathLength ? segmentsOf(text) : null;
  if (segments === null)
    throw new RuleDefinitionError(`${where}: a path is written like amount, order.total, items[].price or ["a.b"]`);
  return Object.freeze({ text: text as string, segments: Object.freeze(segments) });
};

const segmentsOf = (text: string): Segment[] | null => {
  const segments: Segment[] = [];
  let rest = text;
  while (rest !== "" || segments.length === 0) {
    if (segments.length >= maxSegments) return null;
    const bracket = segmentForm.exec(rest)?.[0];
    if (bracket !== undefined) {
      const segment = bracketed(bracket);
      if (segment === null) return null;
      segments.push(segment);
      rest = rest.slice(bracket.length);
      continue;
    }
    if (segments.length > 0) {
      if (rest[0] !== ".") return null;
      rest = rest.slice(1);
    }
    const name = plainName.exec(rest)?.[0];
    if (name === undefined) return null;
    segments.push({ name });
    rest = rest.slice(name.length);
  }
  // Arguments are an object: what comes first is a name.
  return "name" in (segments[0] as Segment) ? segments : null;
};

const bracketed = (text: string): Segment | null => {
  const inner = text.slice(1, -1);
  if (inner === "") return { each: true };
  if (inner[0] !== '"') return { index: Number(inner) };
  try {
    return { name: JSON.parse(inner) as string };
  } catch {
    return null;
  }
};

/** `loc` and a name: `items[2].url`, `order["a.b"]`. */
export const locOf = (loc: string, step: string | number): string => {
  if (typeof step === "number") return `${loc}[${step}]`;
  if (plainName.exec(step)?.[0] !== step) return `${loc}[${JSON.stringify(step)}]`;
  return loc === "" ? step : `${loc}.${step}`;
};

/** Everything that stands at a path, in order. `items[].x` over an empty list finds nothing, which is not `missing`. */
export const readPath = (args: WireObject, path: ArgumentPath): readonly Found[] => {
  const found: Found[] = [];
  read(args, path.segments, 0, "", found);
  return found;
};

const read = (value: WireValue, segments: readonly Segment[], at: number, loc: string, found: Found[]): void => {
  const segment = segments[at];
  if (segment === undefined) {
    found.push({ loc, kind: "value", value });
    return;
  }
  const nothing = value === null ? "missing" : "misshapen";
  if ("name" in segment) {
    const next = locOf(loc, segment.name);
    if (!isObject(value)) found.push({ loc: next, kind: nothing });
    else if (!Object.hasOwn(value, segment.name)) found.push({ loc: next, kind: "missing" });
    else read(value[segment.name] as WireValue, segments, at + 1, next, found);
    return;
  }
  const list = Array.isArray(value) ? (value as readonly WireValue[]) : null;
  if ("each" in segment) {
    if (list === null) found.push({ loc: `${loc}[]`, kind: nothing });
    else for (const [index, item] of list.entries()) read(item, segments, at + 1, `${loc}[${index}]`, found);
    return;
  }
  const next = `${loc}[${segment.index}]`;
  if (list === null) found.push({ loc: next, kind: nothing });
  else if (segment.index >= list.length) found.push({ loc: next, kind: "missing" });
  else read(list[segment.index] as WireValue, segments, at + 1, next, found);
};

const isObject = (value: WireValue): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
