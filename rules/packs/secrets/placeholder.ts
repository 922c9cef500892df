/** Texts that stand where a secret would: nobody loses anything with them. */

/** `xxxx`, `****`, `....`, `0000`: one or two characters over and over behind the prefix. */
const isFiller = (text: string): boolean => {
  const lower = text.toLowerCase();
  const first = lower[0];
  let other: string | undefined;
  for (let at = 1; at < lower.length; at++) {
    const character = lower[at];
    if (character === first || character === other) continue;
    if (other !== undefined) return false;
    other = character;
  }
  return true;
};

const words =
  /^(?:<.*>|\[.*\]|\{.*\}|\(.*\)|.*\.\.\.|.*…|x{3,}.*|.*x{6,}.*|\*+|your.*|my[-_ ].*|insert.*|enter.*|put.*|some[-_ ].*|the[-_ ].*|replace.*|change.?me.*|changeit|dummy.*|fake.*|placeholder.*|example.*|sample.*|redacted.*|removed.*|hidden.*|masked.*|todo|tbd|none|null|nil|undefined|empty|true|false|yes|no|string|str|text|number|boolean|bool|integer|int|object|array|any|password|passwd|pass|pwd|passphrase|secret|token|key|api.?key|required|optional|default|value|test|testing|user|username|admin|root|guest|foo|bar|baz|foobar|n\/a)$/is;

/** Filled in later: `${TOKEN}`, `$TOKEN`, `%TOKEN%`, `{{ token }}`, `process.env.TOKEN`, `op://vault/item`, `env:TOKEN`. */
const reference =
  /^\$[A-Za-z_]|\$[{(]|\{\{|\}\}|<%|%\([a-z]|^%[A-Za-z_]\w*%$|(?:^|\W)(?:process\.env|os\.environ|os\.getenv|getenv|import\.meta|secrets?\.[a-z_]|vars\.[a-z_]|env\.[a-z_])|^(?:env|file|op|vault|aws-sm|gcp-sm|secretref|keyring|doppler|arn|ssm):|^![A-Za-z]+[ :]/i;

/** What redaction leaves. */
const marker = "[REDACTED";

/** Longer texts are none: a placeholder is something that a person wrote. */
const maxPlaceholderCharacters = 96;

export const isPlaceholder = (text: string): boolean =>
  text.includes(marker) ||
  isFiller(text) ||
  (text.length <= maxPlaceholderCharacters && (words.test(text) || reference.test(text)));

/** For a token with its prefix: `ghp_xxxxxxxx`, `sk-...`, `AKIAXXXXXXXXXXXXXXXX`, `sk_live_your_key_here`. */
export const isPlaceholderToken = (token: string): boolean => {
  const separator = Math.max(token.indexOf("_"), token.indexOf("-"), 3);
  // A token may have its only separator near its end: what is behind that is not what was filled in.
  const body = token.slice(separator < longestPrefix ? separator + 1 : 4);
  return isFiller(body) || /x{8}|\*{4}|\.{3}|your[-_]|_here$|-here$/i.test(token);
};

/** `access-production-` */
const longestPrefix = 20;
