/** What the name of a member, a variable or a parameter says of its value. */
export type SecretName = "password" | "token";

/** `dbPassword`, `DB_PASSWORD`, `db-password` and `db.password` are the same words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

/** With one of these as the last word it is about a secret and not the secret: `token_type`, `password_file`. */
const about: ReadonlySet<string> = new Set(
  "id ids type types name names url uri path paths file files count counts limit length size expires expiry expiration at in policy policies ref reference endpoint field label pattern hint arn version index budget usage usages manager provider store service services input form page regex placeholder format list prefix scheme strength rules rule error errors message status enabled required exists valid changed set reset env var variable column header headers param parameter lifetime ttl rotation algorithm alg class bytes chars min max sent received used source uuid date time timestamp created updated metadata schema config settings options info details description title help example template mode".split(
    " ",
  ),
);
/** With one of these anywhere it is none: places in lists, protection against forged requests, counts. */
const otherwise: ReadonlySet<string> = new Set(
  "page next previous prev csrf xsrf antiforgery continuation cursor sync resume max min total num prompt completion input output cached public reasoning start end first last eos bos pad unk sep cls mask special stop audio image invalid missing forgot no has is show hide toggle validate check verify confirm expected partition sort primary foreign cache registration device push fcm lock idempotency".split(
    " ",
  ),
);

const passwords = ["password", "passwd", "passphrase", "passcode", "kennwort", "passwort"];
const tokens = [
  "secret",
  "token",
  "apikey",
  "secretkey",
  "accesskey",
  "privatekey",
  "authkey",
  "signingkey",
  "encryptionkey",
  "masterkey",
  "accountkey",
  "credential",
  "credentials",
];
/** What a key is called that opens something: `api key`, and not `primary key`. */
const keyKinds: ReadonlySet<string> = new Set(
  "api secret access private auth encryption signing master account service shared license app storage subscription webhook admin deploy hmac jwt session aes ssh gpg bot rest ingest write integration consumer client server live stripe twilio sendgrid openai anthropic mailgun datadog dd sentry github gitlab slack heroku".split(
    " ",
  ),
);

const known = new Map<string, SecretName | null>();
const maxKnown = 4_096;
const maxNameCharacters = 128;

/** Null: nothing that would be a secret. */
export const secretName = (name: string): SecretName | null => {
  // What redaction left is no name of anything.
  if (name.length > maxNameCharacters || name.length < 3 || name.includes("[REDACTED")) return null;
  const before = known.get(name);
  if (before !== undefined) return before;
  const kind = judged(wordsOf(name));
  if (known.size >= maxKnown) known.clear();
  known.set(name, kind);
  return kind;
};

const judged = (words: readonly string[]): SecretName | null => {
  const last = words.at(-1) ?? "";
  if (about.has(last) || words.some((word) => otherwise.has(word))) return null;
  if (passwords.some((end) => last.endsWith(end)) || last === "pwd" || (last === "pass" && words.length > 1))
    return "password";
  if (tokens.some((end) => last.endsWith(end))) return "token";
  const beforeLast = words.at(-2) ?? "";
  if ((last === "key" || last === "keys") && (keyKinds.has(beforeLast) || words.includes("secret"))) return "token";
  // `GITHUB_PAT`: a token that a person made.
  if (last === "pat" && words.length > 1) return "token";
  if (last === "auth" && words[0] === "") return null;
  if ((last === "authorization" || last === "authtoken") && words.length <= 2) return "token";
  // `SECRET_KEY_BASE`, `secret_value`; `access_token_1`.
  if (words.includes("secret") && (last === "base" || last === "value" || /^[0-9]+$/.test(last))) return "token";
  if (/^[0-9]+$/.test(last) && words.length > 1) return judged(words.slice(0, -1));
  return null;
};
