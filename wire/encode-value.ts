import { encodeBase64 } from "./base64.ts";
import { canonicalJson } from "./canonical.ts";
import { bytesEnvelope, bytesKey, bytesTag, envelopeTag, needsEscape, tagKey } from "./envelope.ts";
import { Unrepresentable } from "./errors.ts";
import { sortKeys } from "./key-order.ts";
import { maxNestingDepth, maxValueNodes } from "./limits.ts";
import { setOwn } from "./own-property.ts";
import { assertPlainArray, describe, isIntrinsicPrototype, plainKeys, tooDeep } from "./plain.ts";
import { printableName } from "./printable-name.ts";
import type { JsonValue } from "./value.ts";

export interface CodecOptions {
  /** Was the feature `escape` negotiated? Without it an object that looks like the bytes envelope cannot be sent. */
  readonly escape: boolean;
}

export const v1Codec: CodecOptions = Object.freeze({ escape: false });

/**
 * A value as JSON: bytes (Uint8Array, Buffer) become the envelope of envelope.ts, a Set an array sorted by its members'
 * canonical text, everything else itself, copied.
 *
 * Throws `Unrepresentable`, which names the place, for: undefined, functions, symbols, bigint, NaN, infinities, integral
 * numbers beyond 2^53-1, lone surrogates, class instances (Map, Date, RegExp, other typed arrays), symbol keys, hidden
 * properties, holes, more than 128 levels or a cycle, more parts than a frame can hold, and, without `escape`, an object of
 * the bytes envelope's exact shape.
 */
export const encodeValue = (value: unknown, options: CodecOptions = v1Codec): JsonValue =>
  encode(value, { escape: options.escape, nodes: 0 }, 0);

interface Walk {
  readonly escape: boolean;
  nodes: number;
}

const encode = (value: unknown, walk: Walk, depth: number): JsonValue => {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new Unrepresentable(describe(value));
      return value;
    case "number":
      if (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)) {
        throw new Unrepresentable(describe(value));
      }
      return value;
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      return encodeObject(value, walk, depth + 1);
    default:
      throw new Unrepresentable(describe(value));
  }
};

const encodeObject = (value: object, walk: Walk, depth: number): JsonValue => {
  if (depth > maxNestingDepth) throw tooDeep();
  if (Array.isArray(value)) {
    assertPlainArray(value);
    return encodeItems(value, walk, depth);
  }
  if (isBytes(value)) return bytesEnvelope(encodeBase64(value));
  if (isSet(value)) {
    const items = encodeItems([...value], walk, depth);
    return items
      .map((item) => ({ item, text: canonicalJson(item) }))
      .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
      .map(({ item }) => item);
  }
  return encodeMembers(value, walk, depth);
};

/** A graph in which one object is shared many times over grows without bound when it is written out: the count ends it. */
const count = (walk: Walk, parts: number): void => {
  walk.nodes += parts;
  if (walk.nodes > maxValueNodes) throw new Unrepresentable("a value of more parts than a frame can hold");
};

const encodeItems = (items: readonly unknown[], walk: Walk, depth: number): JsonValue[] => {
  count(walk, items.length);
  const out: JsonValue[] = [];
  let i = 0;
  try {
    for (; i < items.length; i++) out.push(encode(items[i], walk, depth));
  } catch (error) {
    throw located(error, `[${i}]`);
  }
  return out;
};

const encodeMembers = (object: object, walk: Walk, depth: number): JsonValue => {
  // Sorted here, the text can be written in one go (canonical.ts).
  const keys = sortKeys(plainKeys(object));
  count(walk, keys.length);
  const tag = envelopeTag(object, keys);
  if (tag !== null && needsEscape(tag)) return encodeLookAlike(object, tag, walk, depth);
  const out: Record<string, JsonValue> = {};
  let key = "";
  try {
    for (let i = 0; i < keys.length; i++) {
      key = keys[i] as string;
      if (!key.isWellFormed()) throw new Unrepresentable("a key with a lone surrogate");
      setOwn(out, key, encode((object as Record<string, unknown>)[key], walk, depth));
    }
  } catch (error) {
    throw located(error, printableName(key));
  }
  return out;
};

const encodeLookAlike = (object: object, tag: string, walk: Walk, depth: number): JsonValue => {
  if (!walk.escape && tag === bytesTag) throw new Unrepresentable("an object that looks like encoded bytes");
  const b64 = encode((object as Record<string, unknown>)[bytesKey], walk, depth);
  return { [tagKey]: walk.escape ? `=${tag}` : tag, [bytesKey]: b64 };
};

/** Puts the place in front as the error travels outwards, so that the path costs nothing where nothing fails. */
const located = (error: unknown, step: string): unknown => {
  if (!(error instanceof Unrepresentable)) return error;
  const joint = error.where === "" || error.where.startsWith("[") ? "" : ".";
  const where = `${step}${joint}${error.where}`;
  return new Unrepresentable(error.what, where.length <= 256 ? where : `${where.slice(0, 256)}...`);
};

const typedArrayName = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)?.get as (this: object) => string | undefined;

/** Uint8Array of any realm, Buffer included; by the internal name that a script cannot forge. */
const isBytes = (value: object): value is Uint8Array =>
  ArrayBuffer.isView(value) && typedArrayName.call(value) === "Uint8Array";

const isSet = (value: object): value is Set<unknown> => {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Set.prototype) return Reflect.ownKeys(value).length === 0;
  if (prototype === null || prototype === Object.prototype) return false;
  return isIntrinsicPrototype(prototype, "Set") && Reflect.ownKeys(value).length === 0;
};
