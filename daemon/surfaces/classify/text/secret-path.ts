import { folded } from "../../../../rules/paths/folded.ts";
import { protectionOf, standardSets } from "../../../../rules/paths/protected/index.ts";
import type { Token } from "./token.ts";

/** Where the accounts of a machine are told; no secret by itself, and no tool's business. */
const accounts = /^\/etc\/(?:passwd|shadow|group|sudoers|hosts|ssh)/;

/** Names that say by themselves that they are files: `response.key` is a member of something. */
const namedFile =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|[\w-]{1,64}\.(?:json|ya?ml|toml|pem|p12|pfx|kdbx|env|ini|conf|tfstate))$/;

/** A path that holds what opens other doors, as the rules on paths know them: `~/.ssh/id_rsa`, `.env`, `/etc/shadow`. */
export const isSecretPath = ({ kind, text }: Token): boolean => {
  if (kind !== "path" && kind !== "host" && kind !== "word") return false;
  if (kind !== "path" && !namedFile.test(text)) return false;
  // A place in a pattern or below an address is no file of the machine.
  if (/[*]/.test(text) && !text.includes(".ssh") && !text.includes(".env")) return false;
  if (text.length > 512) return false;
  return (
    accounts.test(text) || protectionOf(folded(text), ["read", "list"], standardSets, false)?.set === "credentials"
  );
};
