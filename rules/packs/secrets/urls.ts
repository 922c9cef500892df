import type { Span } from "../../scan/span.ts";
import { likely, suspected } from "./kind.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Characters of a user and a password before the `@` of a URL. */
const maxCredentials = 512;
const maxSchemeCharacters = 32;

/** `scheme://user:password@host`: the password. Found at its `://`, so that no pattern runs over the text. */
export const passwordsInUrls = (text: string): readonly Span[] => {
  const first = text.indexOf("://");
  if (first < 0 || !text.includes("@", first)) return none;
  const spans: Span[] = [];
  for (let at = first; at >= 0; at = text.indexOf("://", at + 3)) {
    const from = at + 3;
    let colon = -1;
    let end = from;
    let sign = -1;
    for (; end < text.length && end - from <= maxCredentials; end++) {
      const code = text.charCodeAt(end);
      // An `@` may stand in a password: the last one before the path counts.
      if (code === 64) sign = end;
      else if (code === 58 && colon < 0) colon = end;
      else if (code <= 32 || (code < 128 && ends[code] === 1)) break;
    }
    if (sign < 0 || colon < 0 || colon > sign || sign - colon < 2) continue;
    const user = text.slice(from, colon);
    const password = text.slice(colon + 1, sign);
    const scheme = schemeBefore(text, at);
    const host = hostAfter(text, sign + 1);
    if (isNothing(user, password, host)) continue;
    const isWeb = scheme === "http" || scheme === "https";
    spans.push({
      class: isWeb ? "basic_auth_url" : scheme === "" ? "password_in_url" : "database_uri",
      start: colon + 1,
      end: sign,
      confidence: isLocal(host) ? suspected : likely,
      encodings: [],
    });
  }
  return spans;
};

const none: readonly Span[] = Object.freeze([]);

/** `/ ? # " ' < > ` \ ( ) , ;` and what a shell ends a word with. */
const ends = new Uint8Array(128);
for (const character of "/?\"'<>`\\(),|") ends[character.charCodeAt(0)] = 1;

const schemeBefore = (text: string, at: number): string =>
  /[a-z][a-z0-9+.-]{0,31}$/i.exec(text.slice(Math.max(0, at - maxSchemeCharacters), at))?.[0].toLowerCase() ?? "";

const hostAfter = (text: string, at: number): string =>
  /^[^/?#\s"'<>`\\,;:)]{0,255}/.exec(text.slice(at, at + 256))?.[0].toLowerCase() ?? "";

/** Passwords of containers that a developer starts for a test; everybody knows them. */
const wellKnown: ReadonlySet<string> = new Set([
  "postgres",
  "mysql",
  "mariadb",
  "mongo",
  "redis",
  "rabbitmq",
  "minio",
  "minioadmin",
  "guest",
  "root",
  "admin",
  "user",
  "pass",
  "password",
  "test",
  "dev",
  "app",
  "sa",
  "secret",
  "example",
  "changeme",
  "hunter2",
  "p",
  "pw",
  "x",
  "123456",
]);

const isLocal = (host: string): boolean =>
  !host.includes(".") || host.startsWith("127.") || /(?:^|\.)(?:localhost|test|local|docker\.internal)$/.test(host);

/** `somepassword`, `abc`: what documentation writes. */
const isSample = (password: string): boolean =>
  wellKnown.has(password.toLowerCase()) ||
  password.length <= 3 ||
  /^[a-z]{0,16}(?:password|passwd|pass|secret)$/i.test(password);
const sampleUsers: ReadonlySet<string> = new Set(["user", "username", "someuser", "usr", "name", "foo", "login"]);

const isNothing = (user: string, password: string, host: string): boolean => {
  if (isPlaceholder(password) && !wellKnown.has(password)) return true;
  if (!isSample(password) && password !== user) return false;
  return isLocal(host) || sampleUsers.has(user) || /(?:^|\.)example\.(?:com|org|net)$/.test(host) || host === "";
};
