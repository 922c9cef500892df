/** Where the store is: `sqlite` is a file of the state directory, anything else a PostgreSQL server's URL. */
export const embeddedStore = "sqlite";

const schemes: readonly string[] = ["postgres:", "postgresql:"];

/** Why a text is no address of a store, or null where it is one. The text is never part of the answer: it may hold a password. */
export const addressProblem = (text: string): string | null => {
  if (text === embeddedStore) return null;
  const url = parsed(text);
  if (url === null || !schemes.includes(url.protocol)) return "must be sqlite, or postgres://user@host/database";
  if (url.pathname.length < 2) return "names no database: postgres://user@host/database";
  return null;
};

/** The address as it may be printed: without its password and its parameters. */
export const printableAddress = (text: string): string => {
  if (text === embeddedStore) return text;
  const url = parsed(text);
  if (url === null) return "a store";
  const user = url.username === "" ? "" : `${url.username}@`;
  return `postgres://${user}${url.host}${url.pathname}`;
};

const loopback: readonly string[] = ["", "localhost", "127.0.0.1", "[::1]"];

/**
 * Does the connection have to be encrypted, with a certificate that is verified? It is where the address leaves this
 * machine and does not say `sslmode=` itself: receipts and a password are not sent in the clear by an omission.
 */
export const mustEncrypt = (text: string): boolean => {
  const url = new URL(text);
  const socketFolder = url.searchParams.get("host")?.startsWith("/") === true;
  return !socketFolder && !loopback.includes(url.hostname) && !url.searchParams.has("sslmode");
};

const parsed = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};
