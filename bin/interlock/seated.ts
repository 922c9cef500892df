import { type Command, Option } from "commander";
import { resolveSettings } from "../../daemon/config/resolve.ts";
import type { OperatorSeat } from "../../daemon/operator/ask-operators.ts";
import { seatOf } from "../../daemon/operator/commands/seat.ts";

/** What every command of operators takes. */
export interface SeatedOptions {
  readonly config?: string;
  readonly state?: string;
  readonly as?: string;
  readonly json?: boolean;
}

export const seated = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--as <name>", "the operator to act as (default: INTERLOCK_OPERATOR, or the only one whose token is here)")
    .option("--json", "JSON");

export const seat = async ({ config, state, as }: SeatedOptions): Promise<OperatorSeat> =>
  seatOf(await resolveSettings({ config, state }, process.env, process.cwd()), as, process.env);

export const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices([...choices]);
