import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { commandsIn, namesInCommand } from "../../shell/command-arguments.ts";
import { Unparseable } from "../../shell/parse.ts";
import { answerFor, type DatabaseAnswer, type DatabaseOptions, everyAction } from "./answers.ts";
import { type ClientText, clientTexts } from "./client-commands.ts";
import { listed } from "./harm.ts";
import type { SqlReader } from "./read-text.ts";
import { mongoCodeHarm, redisHarm, storeReasons } from "./stores.ts";

/** Without one of these names in it no command is a database's client; only then is the shell's text parsed for this rule. */
const clientNames =
  /psql|mysql|mariadb|sqlite|sqlcmd|clickhouse|duckdb|usql|\bbq\b|snowsql|mongo|redis-cli|dropdb|cockroach/i;

/** SQL on the command line of psql, mysql, sqlite3 and their like. */
export const commandsRule = (reader: SqlReader, options: DatabaseOptions): DefinedRule =>
  defineRule({
    id: "database.commands",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      return namesInCommand(action, args, clientNames) ? judged(reader, options, action, args) : undefined;
    },
    examples: [
      { event: { action: "bash", args: { command: "npm run build" } }, expect: "silent" },
      {
        event: { action: "bash", args: { command: "psql -d shop -c 'SELECT count(*) FROM orders'" } },
        expect: "silent",
      },
      ...(listed("ORDERS", options.scratchTables)
        ? []
        : ([
            {
              event: { action: "bash", args: { command: "psql -d shop -c 'DROP TABLE orders'" } },
              expect: options.destructive,
            },
          ] as const)),
      {
        event: { action: "bash", args: { command: "mysql -e \"SELECT 1 INTO OUTFILE '/var/www/x.php'\"" } },
        expect: "block",
      },
      { event: { action: "bash", args: { command: "redis-cli FLUSHALL" } }, expect: options.destructive },
    ],
  });

const judged = async (
  reader: SqlReader,
  options: DatabaseOptions,
  action: string,
  args: Parameters<typeof commandsIn>[1],
): Promise<DatabaseAnswer | undefined> => {
  let doubt: DatabaseAnswer | undefined;
  try {
    for (const { name, script } of await commandsIn(action, args))
      for (const text of clientTexts(script)) {
        const answer = answerOf(text, name, reader, options);
        if (answer?.kind === "block") return answer;
        doubt ??= answer;
      }
  } catch (error) {
    // What no shell can read is the commands pack's to say.
    if (!(error instanceof Unparseable)) throw error;
  }
  return doubt;
};

const answerOf = (
  given: ClientText,
  name: string,
  reader: SqlReader,
  options: DatabaseOptions,
): DatabaseAnswer | undefined => {
  const say = options.destructive === "block" ? block : escalate;
  const attributed = { attributedTo: name };
  if (given.kind === "drops") return say("the command destroys a database", attributed);
  if (given.kind === "redis" || given.kind === "mongo") {
    const harm = given.kind === "redis" ? redisHarm(given.text) : mongoCodeHarm(given.text);
    if (harm === null) return undefined;
    return harm === "destroys" ? say(storeReasons[harm], attributed) : escalate(storeReasons[harm], attributed);
  }
  // What the running shell puts in stands for a value: were it more, the statement would be put together.
  const text = given.known ? given.text : given.text.replaceAll("\0", "?");
  return answerFor(reader.harms(text, given.dialect ?? options.dialect), name, options);
};
