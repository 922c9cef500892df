import type { SecretName } from "./names.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Bits a character, of the characters that are there. */
export const entropyBits = (text: string): number => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
};

/** Where a value stands: as a member of data, in quotes in a text, or bare behind `=` or `:`. */
export type Standing = "member" | "quoted" | "bare";

const minTokenCharacters = 12;
export const maxValueCharacters = 512;

/** Whether a value can be the password or the token that its name says. */
export const isCredential = (value: string, name: SecretName, standing: Standing): boolean => {
  if (value.length > maxValueCharacters || isPlaceholder(value) || isLabel(value)) return false;
  if (name === "password") return isPassword(value, standing);
  if (/\s/.test(value) || value.length < (standing === "member" ? 8 : minTokenCharacters)) return false;
  if (isCode(value)) return false;
  return standing === "member" && value.length >= 16
    ? hasTwoKinds(value)
    : /[0-9]/.test(value) && /[a-z]/i.test(value) && entropyBits(value) >= 2.5;
};

const isPassword = (value: string, standing: Standing): boolean => {
  if (standing === "member") return value.length >= 4 && value.length <= 128 && !isSentence(value);
  if (value.length < 6 || isSentence(value)) return false;
  if (standing === "quoted") return hasTwoKinds(value) && !isCode(value);
  return value.length >= 8 && hasTwoKinds(value) && /[0-9]/.test(value) && !isCode(value);
};

/** `Password is required`, `Passwort vergessen?`: a form's words about a password, which no password says of itself. */
const isLabel = (value: string): boolean =>
  /\s/.test(value) &&
  !/[0-9]/.test(value) &&
  /\b(?:password|passphrase|passwort|kennwort|contrase(?:ñ|n)a|mot de passe|senha|wachtwoord|has(?:ł|l)o|l(?:ö|o)senord)\b|парол|密码|密碼|パスワード|비밀번호/iu.test(
    value,
  );

/** Digits, capitals, small letters, others: two of them at least. */
const hasTwoKinds = (value: string): boolean =>
  [/[0-9]/, /[A-Z]/, /[a-z]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length >= 2;

const isSentence = (value: string): boolean => value.split(/\s+/).length > 3;

/** `config.secrets.main`, `getToken`, `TOKEN_NAME`, `path/to/key`: names of things in a program. */
const isCode = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$/.test(value) ||
  /^[A-Za-z_$]+$/.test(value) ||
  /^[A-Z][A-Z_]*[0-9]?$/.test(value) ||
  /^[a-z]+(?:[-_][a-z]+)*[0-9]{0,2}$/.test(value) ||
  /^[a-z][A-Za-z]*[0-9]?$/.test(value) ||
  // Names that bundlers make: `TokenSchema$1`.
  /^[A-Za-z_]+\$[0-9]{1,3}$/.test(value) ||
  /^\.{0,2}\/|^[a-z]+:\/\//i.test(value) ||
  (/^[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)+$/.test(value) && !/(?:^|\/)[0-9a-f]{32}$/.test(value)) ||
  /^[0-9]+(?:[.:-][0-9]+)*$/.test(value);
