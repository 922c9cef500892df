import type { TypedValue } from "./protocol.ts";

/** The value that a notation stands for, as JavaScript has it. */
export const typedValue = (notation: TypedValue): unknown => {
  switch (notation[0]) {
    case "integer":
      return Number(notation[1]);
    case "double":
      return Buffer.from(notation[1], "hex").readDoubleBE();
    case "bytes":
      return new Uint8Array(Buffer.from(notation[1], "hex"));
    case "list":
      return notation[1].map(typedValue);
    case "set":
      return new Set(notation[1].map(typedValue));
    case "object":
      return Object.fromEntries(notation[1].map(([key, value]) => [key, typedValue(value)]));
    default:
      return notation[1];
  }
};
