import { Command } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import {
  addOperatorCommand,
  listOperatorsCommand,
  type OperatorPlaces,
  removeOperatorCommand,
} from "../../daemon/operator/commands/operators.ts";
import { print } from "./print.ts";

const list = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

const placesOf = async (flags: { config?: string; state?: string }): Promise<OperatorPlaces> => {
  const { state, operatorTokens } = await resolveSettings(flags, process.env, process.cwd());
  return { state, tokens: operatorTokens };
};

const withState = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--json", "one JSON object");

export const operatorsCommand = (): Command => {
  const operators = new Command("operators").description("who may grant and deny what was escalated");
  withState(operators.command("add"))
    .description("make an operator; its token is written to <home>/operators/NAME.token")
    .argument("<name>", "up to 64 of a-z, 0-9, dot, dash and underscore")
    .option("--role <role>", "a role that policies ask for; may be given more than once", list)
    .option("--print", "print the token instead of writing it to a file")
    .action(async (name: string, { role, print: isPrinted, json, ...flags }) => {
      const given = { name, roles: role ?? [], print: Boolean(isPrinted) };
      print(addOperatorCommand(await placesOf(flags), given, Date.now()), json);
    });
  withState(operators.command("list"))
    .description("names and roles")
    .action(async ({ json, ...flags }) => print(listOperatorsCommand(await placesOf(flags)), json));
  withState(operators.command("remove"))
    .description("its token is nobody's from the next request on")
    .argument("<name>", "the operator")
    .action(async (name: string, { json, ...flags }) =>
      print(removeOperatorCommand(await placesOf(flags), name), json),
    );
  return operators;
};
