/** What a text is that a program would act on instead of showing it. Closed. */
export type Shape = "template" | "header" | "ldap" | "prototype" | "serialized" | "terminal" | "script" | "redirect";

/** Longer texts are documents. */
export const maxFieldCharacters = 8_192;

/** What stands in the braces of an expression that computes or climbs; a bare name, a filter or a path of names does neither. */
const computes =
  /[0-9]{1,9}\s{0,3}[*+/-]\s{0,3}['"]?[0-9]|__[a-z]{3,20}__|\b(?:config|self|cycler|lipsum|joiner|namespace|get_flashed_messages|url_for)\s{0,3}[.[(|]|\bself\b|\brequest\s{0,3}[.|]\s{0,3}(?:application|attr|__|environ|args)|\bconfig\b\s{0,3}$|_self\.|\|\s{0,3}attr\b|\b(?:system|popen|exec|eval|passthru|shell_exec|phpinfo|getRuntime|forName|getClass|ProcessBuilder|readFile|include|require|import)\b\s{0,3}[('"]|\bT\s{0,3}\(|freemarker\.template|\.constructor\b|\bfilter\s{0,3}\(\s{0,3}['"]|map\s{0,3}\(\s{0,3}['"]system|Class\.|java\.(?:lang|io|util)|process\.(?:env|mainModule)|#root|\bFile\.|IO\.|Kernel\.|`/;
const expressions: readonly RegExp[] = [
  /\{\{([^{}]{1,400})\}\}/g,
  /\$\{([^{}]{1,400})\}/g,
  /<%=?([^%]{1,400})%>/g,
  /[#*@]\{([^{}]{1,400})\}/g,
  /\{%([^%]{1,400})%\}/g,
  /\[\[([^[\]]{1,400})\]\]/g,
  /\{([0-9]{1,9}\*[0-9]{1,9})\}/g,
  /<#assign([^>]{1,400})>/g,
  /#set\s{0,3}\(([^)]{1,400})\)/g,
  /\{php\}([^{]{1,400})\{/g,
];

const isTemplate = (text: string): boolean => {
  // A workflow's expression and a price are no template of a server's.
  const own = text.replaceAll(/\$\{\{[^{}]{0,400}\}\}/g, "");
  return expressions.some((pattern) => [...own.matchAll(pattern)].some(([, inner]) => computes.test(inner ?? "")));
};

const encodedBreak =
  /%0[dD]%0[aA](?:[A-Za-z-]{2,40}(?::|%3[aA])|%0[dD]%0[aA])|%0[aA][A-Za-z-]{2,40}(?::|%3[aA])|%E5%98%8[AD]|\\r\\n[A-Za-z-]{2,40}:/;
const rawBreak = /[\r\n]\s{0,2}(?:[A-Za-z][A-Za-z-]{1,40}\s{0,2}:|[\r\n]|HTTP\/1)|\r/;
const headerNames =
  /^(?:header|headers|cookie|setcookie|location|host|referer|referrer|useragent|subject|to|cc|bcc|from|replyto|contenttype|contentdisposition|authorization|origin|accept|filename|xforwardedfor|etag|status|redirect|redirecturl|url|uri|link)$/;

const ldap =
  /[*)]\s{0,2}\(\s{0,2}[|&!]|\*\)\s{0,2}\(|\)\s{0,2}\([A-Za-z]{1,32}[~<>]?=|\)\(&\)|\*\)\)%00|\)\)\s{0,2}\(\||\(\|\([A-Za-z]{1,32}=\*\)/;
const filterNames = /filter|ldapfilter|searchfilter/;

const prototype =
  /(?:^|[[."'&?])__proto__(?:$|[\].["'=])|constructor(?:\.|\]?\[)["']?prototype|["']constructor["']\s{0,8}:\s{0,8}\{\s{0,8}["']prototype["']/;

const serialized =
  /(?:^|[\s"'=,;])(?:rO0AB[A-Za-z0-9+/]{1}|H4sIAAAAAAAAA[A-Za-z0-9+/]{0,4}rO0|AAEAAAD\/{5}|gASV[A-Za-z0-9+/]{2}|gAN[jJcC]|Y29zCnN5c3RlbQ|Y3Bvc2l4CnN5c3RlbQ|aced0005|ac ed 00 05)|\bO:[0-9]{1,4}:"[A-Za-z_\\]{1,128}":[0-9]{1,4}:\{|c(?:os|posix|subprocess|__builtin__|builtins)\n(?:system|popen|eval|exec|Popen)\n|!!python\/(?:object|name|module)|!!javax?\.|_\$\$ND_FUNC\$\$_|"\$type"\s{0,4}:\s{0,4}"System\./;

/** ESC, and the one character that stands for ESC [. */
const escapes = ["\u001b", "\u009b"] as const;
const terminal = /\\x1b\[|\\u001b\[|\\033\[|\\e\[[0-9]/;

const script =
  /<\s{0,4}script[\s>/]|<\s{0,4}(?:iframe|object|embed|svg|img|body|input|details|video|audio|math|a|form|marquee)\b[^>]{0,256}\bon[a-z]{3,20}\s{0,4}=|(?:^|["'=\s])(?:javascript|vbscript)\s{0,4}:|data:text\/html/i;

const redirectNames =
  /^(?:redirect|redirecturl|redirecturi|redirectto|returnurl|returnto|returnuri|next|nexturl|continue|continueurl|goto|dest|destination|successurl|forward|callbackurl|target)$/;
const offSite =
  /^\s{0,4}(?:[/\\]{2,}|https?:|[/\\]\s{0,2}[/\\]|javascript:|data:|\/%09\/|\/%5c|%2f%2f|https?:\/\/[^/]{0,200}@)/i;
const inQuery =
  /[?&](?:redirect|redirect_?ur[il]|return_?(?:to|url)|next|continue|goto|dest|url)=(?:https?(?::|%3a)(?:\/|%2f){2}|\/\/|%2f%2f)([^&/%]{1,200})/i;

const normal = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");

/** The shapes of one text of a field. */
export const shapesOf = (text: string, name: string): readonly Shape[] => {
  if (text.length > maxFieldCharacters) return [];
  const found: Shape[] = [];
  const called = normal(name);
  if (/[{<#[]/.test(text) && isTemplate(text)) found.push("template");
  if (
    (headerNames.test(called) && rawBreak.test(text.trim())) ||
    (text.includes("%0") && encodedBreak.test(text)) ||
    (headerNames.test(called) && encodedBreak.test(text))
  )
    found.push("header");
  if (
    text.includes(")") &&
    text.length <= 1_024 &&
    !filterNames.test(called) &&
    text.includes("(") &&
    ldap.test(text) &&
    /[*|&!=]/.test(text) &&
    isLdap(text)
  )
    found.push("ldap");
  if ((text.includes("__proto__") || text.includes("constructor")) && prototype.test(text)) found.push("prototype");
  if (serialized.test(text)) found.push("serialized");
  if (escapes.some((character) => text.includes(character)) || terminal.test(text)) found.push("terminal");
  if (script.test(text)) found.push("script");
  if ((redirectNames.test(called) && offSite.test(text)) || isForeignRedirect(text)) found.push("redirect");
  return found;
};

/** A filter that is written out as a whole is balanced; what breaks out of one closes a bracket first. */
const isLdap = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return true;
  }
  return false;
};

/** An address that sends on to another host than its own. */
const isForeignRedirect = (text: string): boolean => {
  const target = inQuery.exec(text)?.[1]?.toLowerCase();
  if (target === undefined) return false;
  const own = /^https?:\/\/([^/?#]{1,253})/i.exec(text)?.[1]?.toLowerCase();
  return own !== undefined && own !== target;
};
