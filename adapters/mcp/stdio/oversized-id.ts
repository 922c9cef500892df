import type { RequestId } from "../relay/message.ts";

const longestToken = 1024;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Finds the top-level `id` of a JSON message that is too long to be kept, as its bytes pass by: whoever waits for it is then told. Nothing
 * is kept but one short token. What is no JSON gives no id, or a wrong one, which nobody waits for or whose call fails.
 */
export class OversizedId {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The token being read at depth 1; null where it is none, or became too long. */
  #token: number[] | null = null;
  #lastKey: string | null = null;
  #isValue = false;
  #id: RequestId | null = null;

  /** Null where none was seen. */
  get id(): RequestId | null {
    return this.#id;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#inString) this.#inText(byte);
      else this.#between(byte);
    }
  }

  #inText(byte: number): void {
    if (this.#token !== null) this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      this.#finish();
    }
  }

  #between(byte: number): void {
    switch (byte) {
      case quote:
        this.#inString = true;
        this.#token = this.#depth === 1 ? [byte] : null;
        return;
      case 0x7b /* { */:
      case 0x5b /* [ */:
        this.#depth++;
        this.#token = null;
        return;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        this.#finish();
        this.#depth--;
        return;
      case 0x3a /* : */:
        if (this.#depth === 1) this.#isValue = true;
        return;
      case 0x2c /* , */:
        this.#finish();
        if (this.#depth === 1) this.#isValue = false;
        return;
      default:
        if (this.#depth !== 1 || byte <= 0x20) return;
        if (this.#token === null) this.#token = [];
        this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#token === null) return;
    if (this.#token.length < longestToken) this.#token.push(byte);
    else this.#token = null;
  }

  #finish(): void {
    if (this.#token === null || this.#depth !== 1) return;
    const value = parsed(Buffer.from(this.#token).toString("utf8"));
    this.#token = null;
    if (!this.#isValue) this.#lastKey = typeof value === "string" ? value : null;
    else if (this.#lastKey === "id" && (typeof value === "string" || typeof value === "number")) this.#id = value;
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
