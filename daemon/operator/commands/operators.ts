import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { addOperator, removeOperator } from "../change-operators.ts";
import { maxRoles } from "../limits.ts";
import { isOperatorName, isRole, operatorsFileIn, readOperators } from "../operators-file.ts";
import { removeTokenFile, writeTokenFile } from "../token-files.ts";

/** Where the operators are, and where their tokens go. */
export interface OperatorPlaces {
  readonly state: string;
  /** `<home>/operators`. */
  readonly tokens: string;
}

const checkedName = (name: string): string => {
  if (isOperatorName(name)) return name;
  throw new Refusal(
    ExitCode.refused,
    `${JSON.stringify(name)} is no operator's name: up to 64 of a-z, 0-9, dot, dash and underscore, a letter or digit first`,
  );
};

/** `interlock operators add NAME`: may decide from the next request on. The token is written to a file, or printed. */
export const addOperatorCommand = (
  { state, tokens }: OperatorPlaces,
  given: { readonly name: string; readonly roles: readonly string[]; readonly print: boolean },
  now_ms: number,
): CommandResult => {
  const name = checkedName(given.name);
  const odd = given.roles.find((role) => !isRole(role));
  if (odd !== undefined) throw new Refusal(ExitCode.refused, `${JSON.stringify(odd)} is no role's name`);
  if (given.roles.length > maxRoles) throw new Refusal(ExitCode.refused, `more than ${maxRoles} roles`);
  const token = addOperator(state, name, given.roles, now_ms);
  const roles = [...new Set(given.roles)];
  const line = `operator ${name} added${roles.length === 0 ? "" : ` with ${roles.join(", ")}`}`;
  if (given.print) {
    return done([`${line}; the token, shown once:`, token], { name, roles, token, token_file: null });
  }
  let token_file: string;
  try {
    token_file = writeTokenFile(tokens, name, token);
  } catch (error) {
    // A token that nobody has would be an operator that nobody is.
    removeOperator(state, name);
    throw error;
  }
  return done([line, `token    ${token_file} (keep it where the agent cannot read it)`], { name, roles, token_file });
};

/** `interlock operators remove NAME`: its token is nobody's from the next request on; what it decided stands. */
export const removeOperatorCommand = ({ state, tokens }: OperatorPlaces, given: string): CommandResult => {
  const name = checkedName(given);
  if (!removeOperator(state, name)) {
    const message = `there is no operator ${name}`;
    return { exitCode: ExitCode.no, lines: [message], json: { ok: false, message } };
  }
  removeTokenFile(tokens, name);
  return done([`operator ${name} removed; what it granted stands: interlock approvals list --status granted`], {
    name,
  });
};

/** `interlock operators list`. */
export const listOperatorsCommand = ({ state }: Pick<OperatorPlaces, "state">): CommandResult => {
  const { operators } = readOperators(operatorsFileIn(findStateDirectory(state).path), null);
  const lines = operators.map(
    ({ name, roles, added_ms }) =>
      `${name}  ${roles.length === 0 ? "no roles" : roles.join(", ")}  since ${new Date(added_ms).toISOString()}`,
  );
  return done(lines.length === 0 ? ["no operators; run interlock operators add NAME"] : lines, {
    operators: operators.map(({ name, roles, added_ms }) => ({ name, roles, added_ms })),
  });
};
