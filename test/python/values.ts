import type { TypedValue } from "../../conformance/line/protocol.ts";

const texts = [
  "",
  "a",
  "b64",
  "bytes",
  "=bytes",
  "__interlock__",
  "__proto__",
  'quote" and \\',
  "\u0000\b\t\n\f\r\u001f\u007f\u0080",
  "\u2028\u2029",
  "\u00e9",
  "e\u0301",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "1",
  "10",
  "2",
];
const doubles = [
  "3ff0000000000000",
  "8000000000000000",
  "0000000000000001",
  "7fefffffffffffff",
  "3eb0c6f7a0b5ed8d",
  "3eb0c6f7a0b5ed8c",
  "444b1ae4d6e2ef50",
  "444b1ae4d6e2ef4f",
  "4340000000000000",
  "433fffffffffffff",
  "3fb999999999999a",
];

/** Values by a seed: the same on each run. Some have no JSON form. */
export class Values {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  isLikely(): boolean {
    return this.#below(4) > 0;
  }

  next(): TypedValue {
    return this.#value(0);
  }

  #value(depth: number): TypedValue {
    switch (this.#below(depth > 4 ? 6 : 9)) {
      case 0:
        return this.#below(2) === 0 ? ["null", null] : ["boolean", this.#below(2) === 0];
      case 1:
        return ["integer", this.#integer()];
      case 2:
        return ["double", this.#double()];
      case 3:
      case 4:
        return ["text", this.#text()];
      case 5:
        return ["bytes", this.#hex(this.#below(6))];
      case 6:
        return ["list", Array.from({ length: this.#below(5) }, () => this.#value(depth + 1))];
      case 7:
        return ["set", this.#members()];
      default:
        return ["object", this.#object(depth)];
    }
  }

  #object(depth: number): readonly (readonly [string, TypedValue])[] {
    if (this.#below(6) === 0) {
      return [
        ["__interlock__", ["text", this.#pick(["bytes", "=bytes", "==bytes", "other", "="])]],
        ["b64", this.#value(depth + 1)],
      ];
    }
    const keys = new Set(Array.from({ length: this.#below(6) }, () => this.#text()));
    return [...keys].map((key) => [key, this.#value(depth + 1)]);
  }

  /** Of one type, and different: in Python 1 and true are one member of a set. */
  #members(): readonly TypedValue[] {
    const members = new Set(Array.from({ length: this.#below(5) }, () => this.#text()));
    return [...members].map((member) => ["text", member]);
  }

  #text(): string {
    const lone = this.#below(200) === 0 ? String.fromCharCode(0xd800 + this.#below(0x800)) : "";
    return `${this.#pick(texts)}${this.#below(3) === 0 ? this.#pick(texts) : ""}${lone}`;
  }

  #integer(): string {
    const digits = 1 + this.#below(16);
    let text = `${1 + this.#below(9)}`;
    for (let digit = 1; digit < digits; digit++) text += this.#below(10);
    // Beyond 2^53 JavaScript has no integer to compare with.
    const safe = Number.isSafeInteger(Number(text)) ? text : "9007199254740991";
    return this.#below(2) === 0 ? safe : `-${safe}`;
  }

  /** Any bits, infinities and NaN among them, and those where the layout changes. */
  #double(): string {
    return this.#below(3) === 0 ? this.#pick(doubles) : this.#hex(8);
  }

  #hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.#below(256).toString(16).padStart(2, "0")).join("");
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  /** Mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}
