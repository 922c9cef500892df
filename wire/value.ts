/** What an argument or a result is once it is off the wire: JSON, and bytes. */
export type WireValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly WireValue[]
  | { readonly [key: string]: WireValue };

export type WireObject = { readonly [key: string]: WireValue };

/** What JSON itself can carry: what a frame holds before its bytes envelopes are opened. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };
