import type { Command, Script } from "../../shell/script.ts";
import type { Word } from "../../shell/word.ts";
import type { Dialect } from "./dialect.ts";

/** SQL, or a command of Redis or MongoDB, that a command hands to a database's own client. */
export interface ClientText {
  readonly kind: "sql" | "mongo" | "redis" | "drops";
  readonly text: string;
  /** False: a part of it is known to the running shell only. */
  readonly known: boolean;
  readonly dialect: Dialect | null;
}

interface Client {
  readonly kind: "sql" | "mongo";
  readonly dialect: Dialect | null;
  /** Options whose value is a statement. */
  readonly options: readonly string[];
  /** From which argument that is no option on statements stand; null: nowhere. */
  readonly from: number | null;
  /** Options that take a value that is no statement. */
  readonly valued: string;
}

const client = (dialect: Dialect | null, options: string, from: number | null, valued: string): Client => ({
  kind: "sql",
  dialect,
  options: options === "" ? [] : options.split(" "),
  from,
  valued,
});

const clients: ReadonlyMap<string, Client> = new Map([
  ["psql", client("postgresql", "-c --command", null, "hpUdfvPRTFo")],
  ["cockroach", client("postgresql", "-e --execute", null, "")],
  ["mysql", client("mysql", "-e --execute", null, "hPuDS")],
  ["mariadb", client("mysql", "-e --execute", null, "hPuDS")],
  ["sqlite3", client("sqlite", "-cmd", 1, "")],
  ["sqlite", client("sqlite", "-cmd", 1, "")],
  ["sqlcmd", client("sqlserver", "-Q -q", null, "SUPdio")],
  ["clickhouse-client", client(null, "-q --query", null, "hu")],
  ["duckdb", client("postgresql", "-c -cmd -s", 1, "")],
  ["usql", client(null, "-c --command", null, "")],
  ["bq", client(null, "", 1, "")],
  ["snowsql", client(null, "-q --query", null, "")],
  ["mongosh", { kind: "mongo", dialect: null, options: ["--eval"], from: null, valued: "" }],
  ["mongo", { kind: "mongo", dialect: null, options: ["--eval"], from: null, valued: "" }],
]);

/** Programs that run another one somewhere else: its name stands among their arguments. */
const carriers: ReadonlySet<string> = new Set([
  "docker",
  "podman",
  "kubectl",
  "docker-compose",
  "nerdctl",
  "oc",
  "heroku",
  "fly",
]);
const printers: ReadonlySet<string> = new Set(["echo", "printf"]);

/** What the commands of a script hand to databases. A file of statements (`-f`, `<`) is not read. */
export const clientTexts = ({ commands }: Script): readonly ClientText[] =>
  commands.flatMap((command) => {
    const at = carriers.has(command.name)
      ? command.args.findIndex(({ text }) => clients.has(text) || text === "redis-cli")
      : -1;
    const name = at === -1 ? command.name : (command.args[at]?.text ?? "");
    const args = command.args.slice(at + 1);
    if (name === "dropdb") return [{ kind: "drops" as const, text: "", known: true, dialect: null }];
    if (name === "mysqladmin" && args.some(({ text }) => text === "drop"))
      return [{ kind: "drops" as const, text: "", known: true, dialect: null }];
    if (name === "redis-cli") return [redis(args)];
    const found = clients.get(name);
    return found === undefined ? [] : given(found, args, command, commands);
  });

const redis = (args: readonly Word[]): ClientText => ({
  kind: "redis",
  text: args.map(({ text }) => text).join(" "),
  known: true,
  dialect: null,
});

const given = (
  { kind, dialect, options, from, valued }: Client,
  args: readonly Word[],
  command: Command,
  all: readonly Command[],
): ClientText[] => {
  const texts: Word[] = [];
  let plain = 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const { text } = word;
    const next = args[at + 1];
    const option = options.find((one) => text === one || isBundle(text, one, valued));
    if (option !== undefined && next !== undefined) {
      texts.push(next);
      at++;
      continue;
    }
    const glued = options.find(
      (one) => text.startsWith(one.startsWith("--") ? `${one}=` : one) && text.length > one.length,
    );
    if (glued !== undefined) {
      const start = glued.length + (glued.startsWith("--") ? 1 : 0);
      texts.push({ ...word, text: text.slice(start) });
    } else if (!text.startsWith("-") && from !== null && plain++ >= from) texts.push(word);
  }
  const fed = texts.length > 0 ? [] : command.input === null ? printed(command, all) : [command.input];
  return [...texts, ...fed].map(({ text, known }) => ({ kind, text, known, dialect }));
};

/** `-tAc` ends in an option whose value follows. */
const isBundle = (text: string, option: string, valued: string): boolean =>
  /^-[A-Za-z]$/.test(option) &&
  /^-[A-Za-z]{2,8}$/.test(text) &&
  text.endsWith(option.slice(1)) &&
  ![...text.slice(1, -1)].some((letter) => valued.includes(letter));

/** What `echo ... | psql` feeds, where the shell does not tell what that is. */
const printed = ({ fedBy }: Command, all: readonly Command[]): readonly Word[] =>
  all
    .filter(({ name }) => printers.has(name) && fedBy.includes(name))
    .map(({ args }) => {
      const words = args.filter(({ text }, at) => at > 0 || !/^-[neE]{1,3}$/.test(text));
      return { text: words.map(({ text }) => text).join(" "), known: words.every(({ known }) => known) };
    });
