import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { addOperator, removeOperator } from "./change-operators.ts";
import { maxOperatorsFileBytes } from "./limits.ts";
import { operatorsFileIn, readOperators } from "./operators-file.ts";
import { OperatorRefused } from "./refusal.ts";
import { OperatorRegister } from "./register.ts";
import { newToken, tokenDigest } from "./token.ts";

let state: string;
let path: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "il-operators-"));
  path = operatorsFileIn(state);
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "";
  } catch (error) {
    if (error instanceof OperatorRefused) return error.code;
    throw error;
  }
};

describe("an operator", () => {
  test("is known by the token that was made for it, and by nothing else", () => {
    const ann = addOperator(state, "ann", ["finance", "finance", "ops"], 1);
    const ben = addOperator(state, "ben", [], 2);
    const register = new OperatorRegister(state);
    expect(register.identify(ann)).toEqual({ name: "ann", roles: ["finance", "ops"] });
    expect(register.identify(ben)).toEqual({ name: "ben", roles: [] });
    const forged = [newToken(), "", `${ann} `, ann.toLowerCase(), `${ann}${ben}`, tokenDigest(ann), "x".repeat(60_000)];
    for (const token of forged) expect(codeOf(() => register.identify(token))).toBe("not_an_operator");
  });

  test("that was removed is refused with the next request", () => {
    const ann = addOperator(state, "ann", [], 1);
    addOperator(state, "ben", [], 1);
    const register = new OperatorRegister(state);
    register.identify(ann);
    expect(removeOperator(state, "ann")).toBe(true);
    expect(removeOperator(state, "ann")).toBe(false);
    expect(codeOf(() => register.identify(ann))).toBe("not_an_operator");
    const again = addOperator(state, "ann", [], 1);
    expect(codeOf(() => register.identify(ann))).toBe("not_an_operator");
    expect(register.identify(again).name).toBe("ann");
  });

  test("of a name that is taken is not added", () => {
    addOperator(state, "ann", [], 1);
    expect(() => addOperator(state, "ann", [], 1)).toThrow("there is an operator ann already");
  });

  test("leaves no token in the state directory", () => {
    const token = addOperator(state, "ann", [], 1);
    expect(readFileSync(path, "utf8")).not.toContain(token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

test("without operators nobody decides, and the line says how to add one", () => {
  const register = new OperatorRegister(state);
  expect(() => register.identify(newToken())).toThrow("run interlock operators add NAME");
  expect(codeOf(() => register.identify(newToken()))).toBe("no_operators");
});

describe("operators.json is refused, whoever asks,", () => {
  const record = { name: "ann", roles: ["ops"], token_sha256: "0".repeat(64), added_ms: 1 };
  const write = (value: unknown): void =>
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value), { mode: 0o600 });
  const list = (...operators: unknown[]) => ({ operators, v: 1 });

  test.each<[name: string, value: unknown]>([
    ["that is half written", '{"operators":[{"name":"an'],
    ["that is empty", ""],
    ["that is a list", []],
    ["of another version", { ...list(record), v: 2 }],
    ["with an unknown key", { ...list(record), more: 1 }],
    ["with a key twice", '{"operators":[],"operators":[],"v":1}'],
    ["with an operator twice", list(record, record)],
    ["with a name that is none", list({ ...record, name: "Ann" })],
    ["with a role that is none", list({ ...record, roles: ["a b"] })],
    ["with a digest that is none", list({ ...record, token_sha256: "00" })],
    ["with an operator's key missing", list({ ...record, roles: undefined })],
    ["with an operator's unknown key", list({ ...record, token: "x" })],
    ["of too many bytes", " ".repeat(maxOperatorsFileBytes + 1)],
    ["that is no UTF-8", Buffer.from([0xff]).toString("latin1")],
  ])("%s", (_name, value) => {
    write(value);
    expect(codeOf(() => new OperatorRegister(state).identify(newToken()))).toBe("operators_refused");
  });

  test.each([0o640, 0o604, 0o660, 0o666])("with mode %o, also where it was read before", (mode) => {
    const token = addOperator(state, "ann", [], 1);
    const register = new OperatorRegister(state);
    register.identify(token);
    chmodSync(path, mode);
    expect(codeOf(() => register.identify(token))).toBe("operators_refused");
    chmodSync(path, 0o600);
    expect(register.identify(token).name).toBe("ann");
  });

  test("that is a link or a directory", () => {
    write(list(record));
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(codeOf(() => readOperators(path, null))).toBe("operators_refused");
    rmSync(path);
    mkdirSync(path);
    expect(codeOf(() => readOperators(path, null))).toBe("operators_refused");
  });
});

test("a file that was replaced is read again, even where its time and size are the same", () => {
  const ann = addOperator(state, "ann", [], 1);
  const register = new OperatorRegister(state);
  register.identify(ann);
  const before = statSync(path);
  const text = readFileSync(path, "utf8").replace(tokenDigest(ann), "0".repeat(64));
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  utimesSync(path, before.atime, before.mtime);
  expect(codeOf(() => register.identify(ann))).toBe("not_an_operator");
});
