import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { admit } from "../../wire/admission.ts";
import { WireError } from "../../wire/errors.ts";
import { isObject, own } from "../../wire/fields.ts";
import type { JsonValue } from "../../wire/value.ts";
import { codeOf, isOursAlone } from "../store/state-directory.ts";
import { maxOperators, maxOperatorsFileBytes, maxRoles } from "./limits.ts";
import { OperatorRefused } from "./refusal.ts";

/** Somebody who may decide. Frozen. */
export interface OperatorRecord {
  /** Lower case, so that no two names look alike but for their case. */
  readonly name: string;
  readonly roles: readonly string[];
  /** SHA-256 of the token, hex. The token itself is nowhere in the state directory. */
  readonly token_sha256: string;
  readonly added_ms: number;
}

const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const rolePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
const digestPattern = /^[0-9a-f]{64}$/;

export const isOperatorName = (text: string): boolean => namePattern.test(text);
export const isRole = (text: string): boolean => rolePattern.test(text);

export const operatorsFileIn = (state: string): string => join(state, "operators.json");

const refuse = (path: string, what: string): never => {
  throw new OperatorRefused("operators_refused", `${path} ${what}`);
};

/** Where and what it was when it was read: the same again is not read again. */
export interface OperatorsFile {
  readonly operators: readonly OperatorRecord[];
  readonly mark: string;
}

const none: OperatorsFile = Object.freeze({ operators: Object.freeze([]), mark: "none" });

/**
 * Reads the operators from one descriptor that was judged first; `known` is given back where the file has not changed since. No file: no
 * operators. Throws OperatorRefused (`operators_refused`) for a link, another owner, any right of group or world, and
 * whatever is not exactly the list that `writeOperators` writes.
 */
export const readOperators = (path: string, known: OperatorsFile | null): OperatorsFile => {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return none;
    return refuse(path, codeOf(error) === "ELOOP" ? "is a symbolic link" : `cannot be read (${codeOf(error)})`);
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return refuse(path, "is not a regular file");
    if (!isOursAlone(fstatSync(descriptor))) {
      return refuse(path, "must be yours with mode 600: whoever can write it can make operators; chmod 600 it");
    }
    if (stats.size > BigInt(maxOperatorsFileBytes)) {
      return refuse(path, `is larger than ${maxOperatorsFileBytes} bytes`);
    }
    const mark = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
    if (known?.mark === mark) return known;
    return Object.freeze({ operators: parseOperators(path, readFileSync(descriptor)), mark });
  } finally {
    closeSync(descriptor);
  }
};

const parseOperators = (path: string, bytes: Uint8Array): readonly OperatorRecord[] => {
  let json: JsonValue;
  try {
    json = admit(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return refuse(path, "is damaged: it is not JSON; remove it and add the operators again");
  }
  const damaged = (): never => refuse(path, "is damaged: it is no list of operators; remove it and add them again");
  if (!isObject(json) || own(json, "v") !== 1 || Object.keys(json).length !== 2) return damaged();
  const list = own(json, "operators");
  if (!Array.isArray(list) || list.length > maxOperators) return damaged();
  const operators = (list as readonly JsonValue[]).map((item) => parseOperator(item) ?? damaged());
  const names = new Set(operators.map(({ name }) => name));
  if (names.size !== operators.length) return damaged();
  return Object.freeze(operators);
};

const parseOperator = (json: JsonValue): OperatorRecord | null => {
  if (!isObject(json) || Object.keys(json).length !== 4) return null;
  const name = own(json, "name");
  const roles = own(json, "roles");
  const token_sha256 = own(json, "token_sha256");
  const added_ms = own(json, "added_ms");
  if (typeof name !== "string" || !isOperatorName(name)) return null;
  if (typeof token_sha256 !== "string" || !digestPattern.test(token_sha256)) return null;
  if (!Number.isSafeInteger(added_ms) || !isRoleList(roles)) return null;
  return Object.freeze({ name, roles: Object.freeze([...roles]), token_sha256, added_ms: added_ms as number });
};

const isRoleList = (json: JsonValue | undefined): json is readonly string[] =>
  Array.isArray(json) && json.length <= maxRoles && json.every((role) => typeof role === "string" && isRole(role));

/** Whole or not at all: written beside it, then renamed over it. Hold the lock of `change-operators.ts`. */
export const writeOperators = (path: string, operators: readonly OperatorRecord[]): void => {
  // Made anew, so that nothing is written through a link that stands in its place.
  rmSync(`${path}.new`, { force: true, recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ operators, v: 1 }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
};
