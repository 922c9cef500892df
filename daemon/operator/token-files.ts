import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { codeOf, isOursAlone } from "../store/state-directory.ts";
import { isOperatorName } from "./operators-file.ts";

/** Where operators keep their tokens: `<home>/operators/NAME.token`, mode 0600 in a directory of mode 0700. */
export const tokenFileIn = (directory: string, name: string): string => join(directory, `${name}.token`);

const maxTokenFileBytes = 256;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

const refuse = (message: string): never => {
  throw new Refusal(ExitCode.refused, message);
};

/** Overwrites nothing. Returns the path. */
export const writeTokenFile = (directory: string, name: string, token: string): string => {
  const path = tokenFileIn(directory, name);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    return refuse(
      codeOf(error) === "EEXIST"
        ? `${path} exists already; move it away, or use --print`
        : `${path} cannot be made (${codeOf(error)}); use --print`,
    );
  }
  return path;
};

export const removeTokenFile = (directory: string, name: string): void =>
  rmSync(tokenFileIn(directory, name), { force: true });

/**
 * Whom this command acts as: the one that was named, else the only one whose token is here. Throws Refusal: what to do
 * is in its line.
 */
export const chosenOperator = (directory: string, named: string | null): string => {
  if (named !== null) {
    return isOperatorName(named) ? named : refuse(`${JSON.stringify(named)} is no operator's name`);
  }
  const names = namesIn(directory);
  const [only] = names;
  if (only === undefined) return refuse(`no operator's token is in ${directory}; run interlock operators add NAME`);
  if (names.length > 1)
    return refuse(`there are tokens of ${names.join(", ")}; choose one with --as or INTERLOCK_OPERATOR`);
  return only;
};

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith(".token"))
      .map((file) => file.slice(0, -".token".length))
      .filter(isOperatorName)
      .sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    return refuse(`${directory} cannot be read (${codeOf(error)})`);
  }
};

/** From one descriptor that was judged first. Throws Refusal; its line never holds the token. */
export const readTokenFile = (directory: string, name: string): string => {
  const path = tokenFileIn(directory, name);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const why = codeOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${codeOf(error)})`;
    return refuse(`the token ${path} ${why}; run interlock operators add ${name}`);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOursAlone(stats))
      return refuse(`the token ${path} must be a file of yours with mode 600`);
    const text = stats.size > maxTokenFileBytes ? "" : readFileSync(descriptor, "utf8").trim();
    return tokenPattern.test(text)
      ? text
      : refuse(`the token ${path} is damaged; remove the operator and add it again`);
  } finally {
    closeSync(descriptor);
  }
};
