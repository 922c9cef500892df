import { addressKind } from "./address.ts";
import type { Destination } from "./destination.ts";

/** `https://github.com@evil.example/`: everything before the @ is only a name, and reads like the host. */
export const isSpokenFor = (destination: Destination): boolean => {
  if (destination.kind !== "network") return false;
  const { url, host } = destination;
  if (url.username === "") return false;
  const name = decoded(url.username);
  // A mail address for a user name is usual; it has its own @.
  if (name.includes("@")) return false;
  const stated = name.split(/[/:?#\\\s&;,]/, 1)[0] ?? "";
  if (addressKind(stated) !== null) return true;
  return (
    /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/i.test(stated) && stated.toLowerCase() !== host && isHostEnding(stated)
  );
};

/** `jane.smith@` is a person; `google.com@`, `login.bank.de@` end as hosts do. */
const isHostEnding = (name: string): boolean => {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return ending.length === 2 || endings.has(ending) || name.split(".").length > 2 || /^www\./i.test(name);
};

const endings: ReadonlySet<string> = new Set([
  "com",
  "org",
  "net",
  "edu",
  "gov",
  "mil",
  "int",
  "info",
  "biz",
  "app",
  "dev",
  "cloud",
  "xyz",
  "online",
  "site",
  "shop",
  "bank",
]);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
