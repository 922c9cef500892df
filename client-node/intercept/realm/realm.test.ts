import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../../../test/kit/place.ts";
import { client } from "../exec/testing/guarded-program.ts";
import { nodes, run } from "../fs/testing/rig.ts";
import { spiedRules } from "./testing/rules.ts";

interface Said {
  readonly said: readonly (readonly [string, unknown])[];
  readonly reached: readonly string[];
}

let place: Place;
beforeAll(async () => {
  place = await makePlace(spiedRules);
  await startDaemon(place);
});

const program = fileURLToPath(new URL("testing/spied-program.mjs", import.meta.url));
const hook = pathToFileURL(join(client, "client-node/intercept/esm-hook.js")).href;

const folder = (): string => {
  const directory = shortDirectory();
  for (const name of ["plain", "blockme", "redirectme", "changed"]) {
    writeFileSync(join(directory, name), name);
    mkdirSync(join(directory, `${name}-folder`));
    writeFileSync(join(directory, `${name}-folder`, "leaf"), name);
  }
  writeFileSync(join(directory, "child.cjs"), "");
  return directory;
};

const saidBy = async (node: string, spies: "spies" | "no spies"): Promise<Said> => {
  const home = folder();
  const { code, stdout, stderr } = await run(node, ["--import", hook, program, home, spies], place.home, {
    INTERLOCK_SOCKET: place.socket,
    INTERLOCK_TIMEOUT: "30",
    NODE_NO_WARNINGS: "1",
  });
  if (code !== 0) throw new Error(`the program ended with ${code}: ${stderr}`);
  return JSON.parse((stdout.trim().split("\n").at(-1) ?? "").replaceAll(home, "HOME"));
};

/** The options of a call are the program's, inherited ones too, as Node has it: they are read once, and what was read is what runs. */
const argumentsOfCalls = [
  ...["cwd", "dispatcher", "encoding", "family", "fd", "flag", "flags", "fs", "href", "lookup", "path", "then"].map(
    (name) => `get Object.prototype.${name}`,
  ),
  ...["hostname", "href", "pathname", "protocol"].map((name) => `get url.URL.prototype.${name}`),
  // Node makes these classes when they are first used. The request that is sent is asked for where it is another one.
  ...["headers", "method", "url"].map((name) => `get Request.prototype.${name}`),
  ...["Headers.prototype.forEach", "Request.prototype.clone"],
];

/** A refusal reaches the program by objects of Node's classes. */
const refusals = [
  ...["EventEmitter.prototype.emit", "EventEmitter.prototype.listenerCount", "Readable.prototype.push"],
  ...["Writable.prototype.destroy", "OutgoingMessage.prototype.end", "http.ClientRequest.prototype.onSocket"],
  // The original `process.dlopen` says so of its error.
  "set Object.prototype.code",
  // Read of what the program is given: the process's open handles without the guard's own.
  "get Object.prototype.handle",
];

describe.each(nodes)("on Node %s, in a program that has replaced every function it can", (_version, node) => {
  it("the guard calls none of them, and answers as it does in any other", async () => {
    const { said, reached } = await saidBy(node, "spies");
    expect(reached.filter((name) => !argumentsOfCalls.includes(name) && !refusals.includes(name))).toEqual([]);
    expect(said).toEqual((await saidBy(node, "no spies")).said);
    const outcomes = Object.fromEntries(said);
    const blocked = Object.keys(outcomes).filter((name) => name.endsWith(" blockme"));
    expect(blocked.length).toBeGreaterThan(30);
    for (const name of blocked)
      expect([name, outcomes[name]]).toEqual([name, name.startsWith("exists") ? false : "blocked"]);
    expect(outcomes).toMatchObject({
      "readFileSync plain": "plain",
      "readFileSync redirectme": "changed",
      "exec redirectme": "changed\n",
      "fetch plain": "served",
      "net.dial": "blocked",
    });
  });
});
