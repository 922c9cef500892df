import type { TokenOptions, TokenSource } from "../token-source.ts";

/** A token's source as it is handed to another thread, which reads a file anew as this one does. */
export type HandedToken = Exclude<TokenSource, { kind: "function" }>;

/** @throws TypeError for a function, which no other thread can call */
export const handedToken = (source: TokenSource): HandedToken => {
  if (source.kind !== "function") return source;
  throw new TypeError("RemoteEngine: `token` as a function cannot be asked from another thread; use `tokenFile`");
};

/** The options that make the same source there. */
export const tokenOptions = (source: HandedToken): TokenOptions => {
  switch (source.kind) {
    case "none":
      return {};
    case "text":
      return { token: source.text };
    case "file":
      return { tokenFile: source.path };
  }
};
