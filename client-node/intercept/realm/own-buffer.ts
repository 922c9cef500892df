import { createRequire } from "node:module";
import { TextEncoder } from "node:util";
import { bytesOf } from "../../bytes-of.ts";
import { withOwnMethods } from "./own-methods.ts";

const Known = globalThis.Buffer;
const { apply } = Reflect;
const { byteLength } = Known;
const encoder = new TextEncoder();
const { encode } = encoder;

type Write = (this: Uint8Array, text: string, offset: number, length: number) => number;
/** Node's own, which write into bytes of any realm. */
const { latin1Write, base64Write } = Known.prototype as unknown as Readonly<Record<string, Write>>;

export const { isAscii, isUtf8 } = createRequire(import.meta.url)("node:buffer") as typeof import("node:buffer");

/** The part of `Buffer` that the guard uses, with the methods that Node's has before the program. Never from a pool. */
class OwnBuffer extends Uint8Array {
  static override from(given: unknown, second?: unknown, third?: unknown): OwnBuffer {
    if (typeof given === "string") return encoded(given, second as string | undefined);
    if (ArrayBuffer.isView(given)) return copied(given);
    return new OwnBuffer(given as ArrayBuffer, second as number | undefined, third as number | undefined);
  }

  static allocUnsafeSlow(bytes: number): OwnBuffer {
    return new OwnBuffer(bytes);
  }

  static byteLength(text: string): number {
    return byteLength(text);
  }

  static isBuffer(value: unknown): boolean {
    for (let at: unknown = value; typeof at === "object" && at !== null; at = Object.getPrototypeOf(at)) {
      if (at === Known.prototype || at === OwnBuffer.prototype) return true;
    }
    return false;
  }

  copy(to: Uint8Array, toStart: number, start: number, end: number): number {
    to.set(this.subarray(start, end), toStart);
    return end - start;
  }
}

const encoded = (text: string, encoding = "utf8"): OwnBuffer => {
  if (encoding === "utf8") return copied(apply(encode, encoder, [text]));
  const write = encoding === "latin1" ? latin1Write : encoding === "base64" ? base64Write : undefined;
  if (write === undefined) throw new TypeError(`there is no encoding '${encoding}' here`);
  const bytes = new OwnBuffer(text.length);
  return bytes.subarray(0, apply(write, bytes, [text, 0, text.length])) as OwnBuffer;
};

const copied = (view: ArrayBufferView): OwnBuffer => {
  const bytes = bytesOf(view);
  const copy = new OwnBuffer(bytes.length);
  copy.set(bytes);
  return copy;
};

withOwnMethods(OwnBuffer, Known.prototype, ["toString", "utf8Slice", "latin1Slice", "base64Slice"]);

export { OwnBuffer as Buffer };
