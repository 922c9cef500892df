import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type CommandArgument, namesInCommand, onceRead } from "../../shell/command-arguments.ts";
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
      return namesInCommand(action, args, clientNames)
        ? // What no shell can read is the commands pack's to say.
          onceRead<DatabaseAnswer | undefined>(
            action,
            args,
            (commands) => judged(commands, reader, options),
            () => undefined,
          )
        : undefined;
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

const judged = (
  commands: readonly CommandArgument[],
  reader: SqlReader,
  options: DatabaseOptions,
): DatabaseAnswer | undefined => {
  let doubt: DatabaseAnswer | undefined;
  for (const { name, script } of commands)
    for (const text of clientTexts(script)) {
      const answer = answerOf(text, name, reader, options);
      if (answer?.kind === "block") return answer;
      doubt ??= answer;
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
