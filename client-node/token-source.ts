import { resolve } from "node:path";
import { maxTokenBytes } from "../wire/limits.ts";
import { errorName } from "./error-name.ts";
import { FileUnread, readRegularFile } from "./regular-file.ts";

/** Where the token comes from that the hello shows. A file and a function are asked anew for each connection, so that a token may be short-lived. */
export type TokenSource =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "function"; readonly ask: () => string };

export interface TokenOptions {
  /** The bearer token that binds an identity to the connection, or what tells it. Asked anew for each connection. */
  readonly token?: string | (() => string);
  /** A file with the token, read anew for each connection. In place of `token`. */
  readonly tokenFile?: string;
}

const none: TokenSource = Object.freeze({ kind: "none" });

/** @throws TypeError a setting that is not one of those above */
export const tokenSource = ({ token, tokenFile }: TokenOptions): TokenSource => {
  if (token !== undefined && tokenFile !== undefined) {
    throw new TypeError("RemoteEngine: `token` and `tokenFile` stand in each other's place");
  }
  if (tokenFile !== undefined) {
    // Absolute: the program may go elsewhere, and a child begin there.
    if (typeof tokenFile === "string" && tokenFile !== "")
      return Object.freeze({ kind: "file", path: resolve(tokenFile) });
    throw new TypeError("RemoteEngine: `tokenFile` is a path");
  }
  if (token === undefined) return none;
  if (typeof token === "function") return Object.freeze({ kind: "function", ask: token });
  if (isToken(token)) return Object.freeze({ kind: "text", text: token });
  throw new TypeError(`RemoteEngine: \`token\` is ${words}, or a function that tells it`);
};

/** There is no token to show: one line, and nothing of it. */
export class TokenUnread extends Error {
  override readonly name = "TokenUnread";
}

/** The token for a connection that begins now; null where none is shown. @throws TokenUnread */
export const readToken = (source: TokenSource): string | null => {
  switch (source.kind) {
    case "none":
      return null;
    case "text":
      return source.text;
    case "file":
      return fileToken(source.path);
    case "function":
      return askedToken(source.ask);
  }
};

/** May the next connection show another one? */
export const isRenewed = ({ kind }: TokenSource): boolean => kind === "file" || kind === "function";

const words = `text of 1 to ${maxTokenBytes} printable characters without spaces`;

const isToken = (text: unknown): text is string =>
  typeof text === "string" && text.length <= maxTokenBytes && /^[\x21-\x7e]+$/.test(text);

const fileToken = (path: string): string => {
  let text: string;
  try {
    text = Buffer.from(readRegularFile(path, maxTokenBytes + 2)).toString("latin1");
  } catch (error) {
    throw new TokenUnread(`the token file ${error instanceof FileUnread ? error.message : errorName(error)}`);
  }
  const token = text.replace(/\r?\n$/, "");
  if (isToken(token)) return token;
  throw new TokenUnread(`the token file ${path} is not ${words}`);
};

/** What it throws is the program's, and may quote the token. */
const askedToken = (ask: () => string): string => {
  let token: unknown;
  try {
    token = ask();
  } catch (error) {
    throw new TokenUnread(`\`token\` threw ${errorName(error)}`);
  }
  if (isToken(token)) return token;
  throw new TokenUnread(`\`token\` told no ${words}`);
};
