import { ExitCode, Refusal } from "../../exit-codes.ts";

/** Where a Redis is, taken apart. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  /** Before every key, so that deployments may share a server. */
  readonly prefix: string;
  /** What may be printed: neither name nor password. */
  readonly shown: string;
}

const defaultPort = 6379;
const maxUrlBytes = 2048;
const prefixForm = /^[A-Za-z0-9:._-]{1,64}$/;
const dbForm = /^\/?([0-9]{1,3})?$/;

const refuse = (what: string): never => {
  throw new Refusal(ExitCode.refused, what);
};

/**
 * `redis://[user:password@]host[:port][/db][?prefix=interlock:]`, and `rediss://` for TLS. Throws Refusal (exit code 2);
 * its message never holds the URL, since that may hold a password.
 */
export const parseRedisUrl = (text: string): RedisPlace => {
  if (text.length > maxUrlBytes) return refuse(`longer than ${maxUrlBytes} bytes`);
  const url = parsed(text);
  if (url.protocol !== "redis:" && url.protocol !== "rediss:") {
    return refuse("must be `local`, or a URL that begins with redis:// or rediss://");
  }
  if (url.hostname === "") return refuse("the URL names no host");
  if (url.hash !== "") return refuse("the URL has a fragment; write # in a password as %23");
  const db = dbForm.exec(url.pathname);
  if (db === null) return refuse("the URL's path must be the number of a database, such as /0");
  const prefix = url.searchParams.get("prefix") ?? "interlock:";
  if ([...url.searchParams.keys()].some((name) => name !== "prefix") || url.searchParams.size > 1) {
    return refuse("the URL may have one parameter, prefix");
  }
  if (!prefixForm.test(prefix)) return refuse("prefix: 1 to 64 letters, digits and : . _ -");
  const port = url.port === "" ? defaultPort : Number(url.port);
  const number = Number(db[1] ?? "0");
  return Object.freeze({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    tls: url.protocol === "rediss:",
    db: number,
    username: url.username === "" ? null : decoded(url.username),
    password: url.password === "" ? null : decoded(url.password),
    prefix,
    shown: `${url.protocol}//${url.hostname}:${port}/${number}`,
  });
};

const parsed = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    return refuse("must be `local`, or a URL such as redis://127.0.0.1:6379/0");
  }
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse("a name or password in the URL is not percent-encoded; write % as %25");
  }
};
