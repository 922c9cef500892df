import { folded } from "../../../../rules/paths/folded.ts";
import { protectionOf, standardSets } from "../../../../rules/paths/protected/index.ts";
import type { Token } from "./token.ts";

/** Keys and passwords, what runs and with which environment, and who may log in. */
const secret: ReadonlySet<string> = new Set(["credentials", "processes", "accounts"]);

/** Where the accounts of a machine are told; no secret by itself, and no tool's business. */
const accounts = /^\/etc\/(?:passwd|shadow|group|sudoers|hosts|ssh)/;

/** Names that say by themselves that they are files: `response.key` is a member of something. */
const namedFile =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|[\w-]{1,64}\.(?:json|ya?ml|toml|pem|p12|pfx|kdbx|env|ini|conf|tfstate))$/;

/** A path that holds what opens other doors, as the rules on paths know them: `~/.ssh/id_rsa`, `.env`, `/etc/shadow`. */
export const isSecretPath = ({ kind, text: written }: Token): boolean => {
  const isFile = kind === "url" && written.startsWith("file:///");
  const text = isFile ? written.slice("file://".length) : written;
  if (isFile) return isProtected(text);
  if (kind !== "path" && kind !== "host" && kind !== "word") return false;
  if (kind !== "path" && !namedFile.test(text)) return false;
  // A place in a pattern or below an address is no file of the machine.
  if (/[*]/.test(text) && !text.includes(".ssh") && !text.includes(".env")) return false;
  return isProtected(text);
};

const isProtected = (text: string): boolean => {
  if (text.length > 512) return false;
  return (
    accounts.test(text) || secret.has(protectionOf(folded(text), ["read", "list"], standardSets, false)?.set ?? "none")
  );
};
