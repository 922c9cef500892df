/**
 * The wire's catalogue of error codes. A code on the wire always means "no verdict": the client must not run the call.
 * docs/errors.md lists them.
 */
export const wireErrorCodes = Object.freeze({
  bad_version: "the frame is not of protocol version 1",
  bad_request: "the frame is not well-formed: not strict JSON, an unknown or missing key, or a value of the wrong type",
  too_large: "the frame is longer than 8 MiB, or the stream ended inside it",
  unrepresentable: "a value has no JSON form",
  internal: "the peer failed in a way that it does not describe",
  bad_response: "the connection ended before the answer",
  scope_mismatch: "the client presented a scope document that the daemon does not serve",
  not_available: "the daemon does not do what the frame asks for",
  token_malformed: "the hello's token is not one that the daemon reads",
  token_unknown_key: "the token is signed by a key that the daemon does not trust for tokens",
  token_bad_signature: "the token's signature does not hold",
  token_key_revoked: "the key that signed the token is revoked or past its days",
  token_other_audience: "the token is for another daemon",
  token_not_yet_valid: "the token is not valid yet",
  token_expired: "the token has expired",
  token_used: "the token binds one connection, once, and has done so",
  token_unchecked: "whether the token was used before could not be looked up",
} satisfies Record<string, string>);

export type WireErrorCode = keyof typeof wireErrorCodes;

export const isWireErrorCode = (code: unknown): code is WireErrorCode =>
  typeof code === "string" && Object.hasOwn(wireErrorCodes, code);

/** A frame or a value that the wire refuses. The message is one line and never holds a value. */
export class WireError extends Error {
  override readonly name: string = "WireError";
  readonly code: WireErrorCode;
  /** The id of the request it is about; empty where the frame was refused before its id was known. */
  readonly id: string;

  constructor(code: WireErrorCode, message: string, id = "") {
    super(message);
    this.code = code;
    this.id = id;
  }
}

/** A value that has no JSON form. It is refused whole, never sent with the part left out. */
export class Unrepresentable extends WireError {
  override readonly name = "Unrepresentable";
  /** What was refused, such as `a Date`. */
  readonly what: string;
  /** Where in the value, such as `items[2].when`; empty for the value itself. */
  readonly where: string;

  constructor(what: string, where = "", id = "") {
    super("unrepresentable", where === "" ? `${what} has no JSON form` : `${where}: ${what} has no JSON form`, id);
    this.what = what;
    this.where = where;
  }
}
