import { createRequire } from "node:module";

type Nacl = typeof import("tweetnacl");

const load = createRequire(import.meta.url);
let loaded: Nacl | null = null;

/** Loaded when something is signed or sealed for the first time: a daemon's start does not wait for it. */
export const nacl = (): Nacl => {
  loaded ??= load("tweetnacl") as Nacl;
  return loaded;
};
