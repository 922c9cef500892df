import child_process from "node:child_process";
import worker_threads from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { covers, outOfScope } from "./coverage.ts";

const named = (object: object, prefix: string, of = Object.getOwnPropertyNames(object)): string[] =>
  of.map((name) => `${prefix}.${name}`);

const functionsOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object).filter((name) => typeof Reflect.get(object, name) === "function");

/** Each is covered, or out of scope with a reason. */
const everything = (): readonly string[] => [
  ...named(child_process, "child_process"),
  ...named(worker_threads, "worker_threads"),
  ...named(process, "process", functionsOf(process)),
  ...named(process.report as object, "process.report", functionsOf(process.report as object)),
];

describe("coverage of starting processes", () => {
  const known = new Set([...covers, ...Object.keys(outOfScope)]);

  it("has every export of child_process and worker_threads, and every function of process, of this Node", () => {
    expect(everything().filter((name) => !known.has(name))).toEqual([]);
  });

  it("tells of an export that a new Node adds", () => {
    expect(["child_process.exec", "child_process.spawnRemote"].filter((name) => !known.has(name))).toEqual([
      "child_process.spawnRemote",
    ]);
  });

  it("has nothing in both lists, and a reason for all that is out of scope", () => {
    expect(covers.filter((name) => Object.hasOwn(outOfScope, name))).toEqual([]);
    for (const reason of Object.values(outOfScope)) expect(reason).toMatch(/^.{20,}$/);
    expect(outOfScope.vm).toContain("guarded ones");
  });
});
