import { isBelow } from "../../network/suffix.ts";
import type { Found } from "../../scan/found.ts";

/** Stores that made the signature: with it they hand out the one file that it was made for. */
const stores: ReadonlySet<string> = new Set([
  "amazonaws.com",
  "amazonaws.com.cn",
  "cloudfront.net",
  "storage.googleapis.com",
  "core.windows.net",
  "digitaloceanspaces.com",
  "r2.cloudflarestorage.com",
  "backblazeb2.com",
]);

const signatures: ReadonlySet<string> = new Set(["s3_presigned_signature", "azure_sas_signature"]);

/** A signed link that is fetched where it was signed. In a message, or on its way to another host, it is a secret like any other. */
export const isFetchedWhereSigned = (found: Found): boolean => {
  const { text, encodings } = found;
  const isPart = signatures.has(found.class) ? encodings.length === 0 : isKeyName(found);
  if (!isPart || !/^(?:url|uri|href)$/i.test(text.name)) return false;
  if (!URL.canParse(text.text)) return false;
  const { protocol, hostname, username } = new URL(text.text);
  return protocol === "https:" && username === "" && isBelow(hostname, stores);
};

/** Which key signed, and for which day and region: `X-Amz-Credential=ID%2F20240101%2Fus-east-1%2Fs3%2Faws4_request`. */
const isKeyName = ({ class: kind, text: { text }, start, end }: Found): boolean =>
  kind === "named_secret" && /X-(?:Amz|Goog)-Credential=/i.test(text.slice(Math.max(0, start - 20), end));
