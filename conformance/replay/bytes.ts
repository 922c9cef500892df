import { randomBytes } from "node:crypto";
import type { Piece } from "../corpus/format.ts";

/** Fills in what an entry leaves open: `${nonce:name}` becomes 22 random characters, the same for one name in one entry. */
export class Blanks {
  readonly #texts = new Map<string, string>();

  fill(text: string): string {
    return text.replace(/\$\{nonce:([a-z]+)\}/g, (_whole, name: string) => {
      const known = this.#texts.get(name) ?? randomBytes(16).toString("base64url");
      this.#texts.set(name, known);
      return known;
    });
  }
}

/** The bytes that pieces stand for, joined. */
export const bytesOf = (pieces: readonly Piece[], blanks: Blanks): Buffer =>
  Buffer.concat(
    pieces.map((piece) => {
      if (typeof piece === "string") return Buffer.from(blanks.fill(piece), "utf8");
      if ("hex" in piece) return Buffer.from(piece.hex, "hex");
      return Buffer.from(piece.repeat.repeat(piece.times), "utf8");
    }),
  );
