import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shortDirectory } from "../../commands/test-answering-peer.ts";
import { acquireLock } from "../../store/sqlite/lock.ts";
import { operatorsFileIn } from "../operators-file.ts";
import { OperatorRegister } from "../register.ts";
import { chosenOperator, readTokenFile, writeTokenFile } from "../token-files.ts";
import { addOperatorCommand, listOperatorsCommand, type OperatorPlaces, removeOperatorCommand } from "./operators.ts";

const placesIn = (home: string): OperatorPlaces => ({ state: join(home, "state"), tokens: join(home, "operators") });
const add = (places: OperatorPlaces, name: string, roles: readonly string[] = [], print = false) =>
  addOperatorCommand(places, { name, roles, print }, 1_000);

describe("operators", () => {
  test("are added with a token in a file of its own, listed, and removed with it", () => {
    const places = placesIn(shortDirectory());
    const { lines, json } = add(places, "ann", ["finance"]);
    const path = join(places.tokens, "ann.token");
    expect(lines[0]).toBe("operator ann added with finance");
    expect(json).toEqual({ ok: true, name: "ann", roles: ["finance"], token_file: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(places.tokens).mode & 0o777).toBe(0o700);
    const token = readTokenFile(places.tokens, "ann");
    expect(new OperatorRegister(places.state).identify(token)).toEqual({ name: "ann", roles: ["finance"] });
    expect(listOperatorsCommand(places).lines).toEqual(["ann  finance  since 1970-01-01T00:00:01.000Z"]);
    expect(JSON.stringify(listOperatorsCommand(places))).not.toContain(token);
    expect(removeOperatorCommand(places, "ann").exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect(removeOperatorCommand(places, "ann")).toMatchObject({ exitCode: 1, lines: ["there is no operator ann"] });
    expect(listOperatorsCommand(places).lines).toEqual(["no operators; run interlock operators add NAME"]);
  });

  test("with --print the token is in no file", () => {
    const places = placesIn(shortDirectory());
    const { lines } = add(places, "ann", [], true);
    expect(existsSync(places.tokens)).toBe(false);
    expect(new OperatorRegister(places.state).identify(String(lines[1])).name).toBe("ann");
  });

  test.each(["", "Ann", "a b", "../ann", "ann/../ben", "-ann", ".ann", "a".repeat(65), "ann\u202e"])(
    "a name that is none is refused: %j",
    (name) => {
      const places = placesIn(shortDirectory());
      expect(() => add(places, name)).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(() => removeOperatorCommand(places, name)).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(existsSync(places.state)).toBe(false);
    },
  );

  test("a role that is none is refused", () => {
    expect(() => add(placesIn(shortDirectory()), "ann", ["a b"])).toThrow("is no role's name");
  });

  test("where its token cannot be written the operator is not made", () => {
    const places = placesIn(shortDirectory());
    mkdirSync(places.tokens);
    writeFileSync(join(places.tokens, "ann.token"), "mine");
    expect(() => add(places, "ann")).toThrow("exists already");
    expect(readFileSync(join(places.tokens, "ann.token"), "utf8")).toBe("mine");
    expect(listOperatorsCommand(places).json).toMatchObject({ operators: [] });
  });

  test("are changed by one at a time", () => {
    const places = placesIn(shortDirectory());
    add(places, "ann");
    const lock = acquireLock(`${operatorsFileIn(places.state)}.lock`);
    expect(() => add(places, "ben")).toThrow("somebody else is changing");
    lock?.release();
    expect(add(places, "ben").exitCode).toBe(0);
  });
});

describe("whom a command acts as", () => {
  test("is who was named, or the only one there is", () => {
    const { tokens } = placesIn(shortDirectory());
    expect(() => chosenOperator(tokens, null)).toThrow("run interlock operators add NAME");
    writeTokenFile(tokens, "ann", "x");
    expect(chosenOperator(tokens, null)).toBe("ann");
    writeTokenFile(tokens, "ben", "x");
    expect(() => chosenOperator(tokens, null)).toThrow("there are tokens of ann, ben; choose one with --as");
    expect(chosenOperator(tokens, "ben")).toBe("ben");
    expect(() => chosenOperator(tokens, "../ben")).toThrow("is no operator's name");
  });

  test("a token's file that is missing, open, a link or damaged is refused, and never quoted", () => {
    const places = placesIn(shortDirectory());
    add(places, "ann");
    const path = join(places.tokens, "ann.token");
    const read = () => readTokenFile(places.tokens, "ann");
    expect(() => readTokenFile(places.tokens, "ben")).toThrow("does not exist; run interlock operators add ben");
    chmodSync(path, 0o640);
    expect(read).toThrow("must be a file of yours with mode 600");
    chmodSync(path, 0o600);
    writeFileSync(path, "secret");
    expect(read).toThrow("is damaged");
    expect(read).not.toThrow("secret");
    symlinkSync(path, join(places.tokens, "cy.token"));
    expect(() => readTokenFile(places.tokens, "cy")).toThrow("cannot be read (ELOOP)");
  });
});
