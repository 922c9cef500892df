import { indexOfWord, isMark, type Node } from "./nodes.ts";
import { isNamed, words } from "./tables.ts";

/** Tables of databases themselves that hold their users' passwords or their own settings. */
const catalogues: ReadonlySet<string> = words(
  "PG_SHADOW PG_AUTHID PG_USER_MAPPING PG_USER_MAPPINGS PG_HBA_FILE_RULES PG_FILE_SETTINGS MYSQL.USER MYSQL.GLOBAL_PRIV MYSQL.DB SYS.SQL_LOGINS SYS.SYSLOGINS MASTER.DBO.SYSLOGINS MASTER..SYSLOGINS SYSLOGINS SYSXLOGINS SYS.SYSXLOGINS DBA_USERS SYS.USER$ ALL_USERS_PASSWORDS",
);
/** Tables that say what a database holds. Reading them is daily work; joining them to another query's rows is not. */
const schemas =
  /^(?:INFORMATION_SCHEMA\.|PG_CATALOG\.|SQLITE_(?:MASTER|SCHEMA)$|SYS\.|SYSOBJECTS$|SYSCOLUMNS$|MYSQL\.|ALL_TABLES$|USER_TABLES$|PG_TABLES$|PG_CLASS$|PG_USER$)/;

const columns: ReadonlySet<string> = words(
  "PASSWORD PASSWD PASSWORD_HASH PASSWORDHASH PASSWORD_DIGEST PASS_HASH PWD PASSWD_HASH HASHED_PASSWORD ENCRYPTED_PASSWORD API_KEY APIKEY API_SECRET SECRET SECRET_KEY PRIVATE_KEY ACCESS_TOKEN REFRESH_TOKEN SSN CREDIT_CARD CREDIT_CARD_NUMBER CARD_NUMBER CC_NUMBER CVV TOTP_SECRET OTP_SECRET AUTHENTICATION_STRING",
);
const tables: ReadonlySet<string> = words(
  "CREDENTIALS CREDENTIAL SECRETS SECRET PASSWORDS API_KEYS APIKEYS PRIVATE_KEYS ACCESS_TOKENS REFRESH_TOKENS CREDIT_CARDS USER_CREDENTIALS USER_SECRETS",
);

export const isCatalogueOfUsers = (table: string): boolean => catalogues.has(table.replace(/^PG_CATALOG\./, ""));
const isSchemaTable = (table: string): boolean => schemas.test(table) || catalogues.has(table);

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** The columns that a SELECT returns as they are, in upper case; `*` for all. Counted or compared ones are not returned. */
const returned = ({ items }: Node): readonly string[] => {
  const from = indexOfWord(items, "FROM");
  const list = from === -1 ? items : items.slice(0, from);
  return list.flatMap((item, at) =>
    isMark(item, "*") && (at === 0 || isMark(list[at - 1], ".") || isMark(list[at - 1], ","))
      ? ["*"]
      : isNamed(item) && !isMark(list[at + 1], ".") && list[at + 1]?.kind !== "group"
        ? [item.text.toUpperCase()]
        : item.kind === "group"
          ? item.tokens.filter(isNamed).map(({ text }) => (isCounting(list[at - 1]) ? "" : text.toUpperCase()))
          : [],
  );
};

const isCounting = (before: Node["items"][number] | undefined): boolean =>
  before?.kind === "word" && (before.text === "COUNT" || before.text === "LENGTH" || before.text === "OCTET_LENGTH");

/** Whether a SELECT returns columns that hold credentials. */
export const returnsSecrets = (node: Node, named: readonly string[], more: ReadonlySet<string>): boolean => {
  const names = returned(node);
  if (names.some((name) => columns.has(name))) return true;
  return names.includes("*") && named.some((table) => tables.has(lastPart(table)) || more.has(lastPart(table)));
};

/** Facts that an attacker asks a database about itself. */
const facts: ReadonlySet<string> = words(
  "VERSION DATABASE SCHEMA USER CURRENT_USER SESSION_USER SYSTEM_USER SQLITE_VERSION DB_NAME HOST_NAME BANNER",
);

/** A branch of a UNION that adds what the first branch would never return. */
export const isForeignBranch = ({ items }: Node, named: readonly string[]): boolean => {
  if (named.some(isSchemaTable)) return true;
  if (indexOfWord(items, "FROM") !== -1) return false;
  const nulls = items.filter((item) => item.kind === "word" && item.text === "NULL").length;
  const isPadding = items.every(
    (item) =>
      item.kind === "number" ||
      item.kind === "string" ||
      isMark(item, ",") ||
      (item.kind === "word" && item.text === "NULL"),
  );
  if (isPadding && nulls > 0) return true;
  return items.some(
    (item, at) =>
      item.kind === "word" &&
      (item.text.startsWith("@@") ||
        (facts.has(item.text) && (items[at + 1]?.kind === "group" || item.text.endsWith("_USER")))),
  );
};
