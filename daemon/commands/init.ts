import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { placesFor } from "../config/places.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { keygen } from "../keys/commands/keygen.ts";
import { addOperator } from "../operator/change-operators.ts";
import { isOperatorName, operatorsFileIn } from "../operator/operators-file.ts";
import { tokenFileIn, writeTokenFile } from "../operator/token-files.ts";
import { sign } from "../rulesets/commands/sign.ts";
import { type CommandResult, done } from "./command-result.ts";

export interface InitRequest {
  /** Where everything goes; default `~/.interlock`, or INTERLOCK_HOME. */
  readonly home: string | null;
  /** Directories the agent may work in. */
  readonly roots: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The account's name: who may decide about escalated calls from here. */
  readonly user: string;
  readonly now_ms: number;
}

const starterSource = (roots: readonly string[]): string => `import { defineRules } from "interlock/rules";
import { standardPacks } from "interlock/rules/packs";

// Raise \`version\` with every change, then: interlock rules sign ${"<this file>"} && interlock rules reload
// \`directory: "/..."\` beside roots says where the agent's tools run: without it a file tool must be given absolute paths.
// \`interlock rules packs list\` names the packs, \`interlock rules packs show NAME\` the options that \`packs: { NAME: { } }\` takes.
export default defineRules({
  id: "starter",
  version: 1,
  ...standardPacks({ roots: ${JSON.stringify(roots)} }),
});
`;

const configText = (
  socket: string,
): string => `# Read by interlock-sidecar and interlock; paths are relative to this file.
socket: ${JSON.stringify(socket)}
state: state
rules: [rules/starter.ruleset.json]
trust: [keys/rules.key.pub]
# A call that no rule covers goes to a person (allow | escalate | block): allowing it would let through what nobody has
# looked at, blocking it would stop the agent over every new tool.
unknown: escalate
# What a receipt survives before its answer leaves: a crash of the process, or of the machine (process | power).
durability: process
`;

/**
 * `interlock init`: keys, configuration and signed starter rules, where nothing is yet. Overwrites nothing, and where it
 * fails takes away what it made, so that it can be tried again.
 */
export const init = async (request: InitRequest): Promise<CommandResult> => {
  const made: string[] = [];
  try {
    const result = await initIn(request, made);
    if (result.exitCode !== ExitCode.done) takeAway(made);
    return result;
  } catch (error) {
    takeAway(made);
    throw error;
  }
};

const takeAway = (made: readonly string[]): void => {
  for (const path of [...made].reverse()) rmSync(path, { recursive: true, force: true });
};

const initIn = async (
  { home, roots: named, env, user, now_ms }: InitRequest,
  made: string[],
): Promise<CommandResult> => {
  const places = placesFor(home === null ? env : { ...env, INTERLOCK_HOME: home });
  // A rule is not told where it was written: relative folders mean those of now.
  const roots = named.map((root) => (root === "~" || root.startsWith("~/") ? root : resolve(root)));
  for (const root of roots) {
    // Folders that are made later are real too, but a misspelt one would block everything without a word.
    if (!root.startsWith("~") && !existsSync(root)) {
      throw new Refusal(ExitCode.refused, `--root ${root} does not exist; make it first, or correct its name`);
    }
  }
  const source = join(dirname(places.rules), "starter.ts");
  const state = join(places.home, "state");
  const operator = operatorNameOf(user);
  const token = tokenFileIn(places.operatorTokens, operator);
  const files = [places.config, source, places.signingKey, places.trust, places.rules, operatorsFileIn(state), token];
  for (const path of files) {
    if (existsSync(path)) {
      throw new Refusal(
        ExitCode.refused,
        `${path} exists already; init overwrites nothing: move it away or choose another --home`,
      );
    }
  }
  for (const directory of [places.home, dirname(places.signingKey), dirname(places.rules)]) {
    makeDirectory(directory, made);
  }
  writeNew(source, starterSource(roots), made);
  const keys = await keygen({ path: places.signingKey });
  if (keys.exitCode !== ExitCode.done) return keys;
  made.push(places.signingKey, places.trust);
  const signed = await sign({
    entry: source,
    keyPath: places.signingKey,
    now_ms,
    not_after_ms: null,
    out: places.rules,
  });
  if (signed.exitCode !== ExitCode.done) return signed;
  made.push(places.rules);
  writeNew(places.config, configText(places.socket), made);
  for (const directory of [state, places.operatorTokens]) makeDirectory(directory, made);
  const lock = `${operatorsFileIn(state)}.lock`;
  made.push(operatorsFileIn(state), token, ...(existsSync(lock) ? [] : [lock]));
  writeTokenFile(places.operatorTokens, operator, addOperator(state, operator, [], now_ms));
  const { manifest } = JSON.parse(readFileSync(places.rules, "utf8")) as { manifest: { id: string; version: number } };
  return done(
    [
      `configuration  ${places.config}`,
      `rules          ${source} (yours to change)`,
      `signed         ${places.rules} (${manifest.id} version ${manifest.version})`,
      `signing key    ${places.signingKey} (keep it where the agent cannot read it)`,
      `trusted key    ${places.trust}`,
      `operator       ${operator}, by ${token} (keep it where the agent cannot read it)`,
      `socket         ${places.socket}`,
      `state          ${places.state}`,
      `files          the agent may work in ${roots.join(", ")}`,
      "unknown calls  go to a person (escalate)",
      home === null && env.INTERLOCK_HOME === undefined
        ? "next           interlock-sidecar"
        : `next           INTERLOCK_HOME=${places.home} interlock-sidecar`,
    ],
    { ...places, source, roots, operator },
  );
};

/** The account's name where it can be an operator's. */
const operatorNameOf = (user: string): string => {
  const name = user.toLowerCase();
  return isOperatorName(name) ? name : "operator";
};

const makeDirectory = (path: string, made: string[]): void => {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 });
    if (first !== undefined) made.push(first);
  } catch (error) {
    throw notMade(path, error);
  }
};

const writeNew = (path: string, text: string, made: string[]): void => {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    made.push(path);
  } catch (error) {
    throw notMade(path, error);
  }
};

const notMade = (path: string, error: unknown): Refusal =>
  new Refusal(
    ExitCode.refused,
    `${path} cannot be made (${(error as NodeJS.ErrnoException).code}); choose another --home`,
  );
