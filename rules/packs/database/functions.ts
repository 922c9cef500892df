import { isMark } from "./nodes.ts";
import { isNamed, words } from "./tables.ts";
import type { Token } from "./tokens.ts";

/** What calling a function of a database does beside computing. Closed. */
export type Power = "file" | "program" | "network" | "delay" | "server" | "dynamic";

const powers: readonly (readonly [Power, ReadonlySet<string>])[] = [
  [
    "file",
    words(
      "LOAD_FILE LO_IMPORT LO_EXPORT LO_PUT LO_FROM_BYTEA PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR PG_LS_LOGDIR PG_LS_WALDIR PG_LS_TMPDIR PG_STAT_FILE PG_FILE_WRITE PG_FILE_READ PG_FILE_UNLINK PG_FILE_RENAME READFILE WRITEFILE EDIT BFILENAME OPENROWSET OPENDATASOURCE",
    ),
  ],
  ["program", words("LOAD_EXTENSION FTS3_TOKENIZER SYS_EXEC SYS_EVAL SYS_GET SYS_BINEVAL XP_CMDSHELL")],
  [
    "network",
    words(
      "DBLINK DBLINK_CONNECT DBLINK_CONNECT_U DBLINK_EXEC DBLINK_SEND_QUERY OPENQUERY HTTP_GET HTTP_POST HTTP_PUT HTTP_DELETE HTTPURITYPE URL REMOTE REMOTESECURE QUERY_EXPORT_TO_S3 TABLE_IMPORT_FROM_S3",
    ),
  ],
  ["delay", words("SLEEP PG_SLEEP PG_SLEEP_FOR PG_SLEEP_UNTIL BENCHMARK GET_LOCK RECEIVE_MESSAGE")],
  // They run the statement that their text is: https://www.postgresql.org/docs/current/functions-xml.html.
  ["dynamic", words("QUERY_TO_XML QUERY_TO_XMLSCHEMA QUERY_TO_XML_AND_XMLSCHEMA CURSOR_TO_XML")],
  ["server", words("PG_TERMINATE_BACKEND PG_RELOAD_CONF PG_ROTATE_LOGFILE PG_PROMOTE KILL_QUERY")],
];

/** Packages of Oracle and schemas of extensions, whatever is called in them. */
const packages: readonly (readonly [Power, ReadonlySet<string>])[] = [
  ["network", words("UTL_HTTP UTL_TCP UTL_SMTP UTL_INADDR UTL_MAIL DBMS_LDAP HTTP NET AWS_S3 AWS_LAMBDA")],
  ["file", words("UTL_FILE DBMS_XSLPROCESSOR DBMS_ADVISOR DBMS_LOB_FILE")],
  ["program", words("DBMS_SCHEDULER DBMS_JAVA DBMS_JAVA_TEST DBMS_JOB")],
  ["delay", words("DBMS_LOCK DBMS_SESSION DBMS_PIPE")],
];

/** Behind these a name with brackets is a table and its columns. */
const beforeTables: ReadonlySet<string> = words("INTO TABLE ON REFERENCES INDEX VIEW UPDATE EXISTS");
/** Bytes of noise that take a second to make: a delay under another name. */
const manyBytes = 1_000_000;

/** The powers that the functions called anywhere in these tokens have. */
export const powersIn = (tokens: readonly Token[]): ReadonlySet<Power> => {
  const found = new Set<Power>();
  visit(tokens, found);
  return found;
};

const visit = (tokens: readonly Token[], found: Set<Power>): void => {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "group") {
      if (isNamed(token) && isMark(tokens[at + 1], ".")) packaged(token.text.toUpperCase(), tokens, at, found);
      continue;
    }
    visit(token.tokens, found);
    const name = tokens[at - 1];
    const before = tokens[at - 2];
    if (!isNamed(name) || (before?.kind === "word" && beforeTables.has(before.text))) continue;
    const called = name.text.toUpperCase();
    for (const [power, names] of powers) if (names.has(called)) found.add(power);
    if (called === "RANDOMBLOB" || called === "ZEROBLOB") {
      const [size] = token.tokens;
      if (size?.kind !== "number" || Number(size.text) > manyBytes) found.add("delay");
    }
    if ((called === "EXTRACTVALUE" || called === "UPDATEXML") && token.tokens.some(({ kind }) => kind === "group"))
      found.add("server");
  }
};

const packaged = (name: string, tokens: readonly Token[], at: number, found: Set<Power>): void => {
  const isCalled = tokens[at + 3]?.kind === "group";
  if (!isCalled && !name.includes("_")) return;
  for (const [power, names] of packages) if (names.has(name)) found.add(power);
};
