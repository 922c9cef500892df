import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startDaemon } from "../../../test/kit/daemon.ts";
import { makePlace, type Place, shortDirectory } from "../../../test/kit/place.ts";
import { rule, ruleModule } from "../../../test/kit/rules.ts";
import { saidBy } from "../exec/testing/guarded-program.ts";

let place: Place;
beforeAll(async () => {
  const body = `const { path, dest, flags } = event.args;
  return flags === "w" || [path, dest].some((text) => String(text).includes("secret")) ? block("off limits") : allow();`;
  place = await makePlace(ruleModule(rule("files", body, { actions: ["fs.*"] })));
  await startDaemon(place);
});

const folder = (): string => {
  const directory = shortDirectory();
  mkdirSync(join(directory, "from"));
  for (const name of ["from/leaf", "secret", "plain"]) writeFileSync(join(directory, name), name);
  return directory;
};

const beginning = (directory: string): string => `import fs from "node:fs";
import { createHook } from "node:async_hooks";
const at = (name) => ${JSON.stringify(directory)} + "/" + name;
const said = {};
let runs = 0;
const tried = (name, step) => { try { step(); said[name] ??= "ran"; } catch (error) { said[name] = error.name; } };
`;
const ending = "\nconsole.log(JSON.stringify({ ...said, ran: runs > 0 }));";

test("a method that a program replaced, run inside of a copy, reaches nothing beyond the copy", async () => {
  const said = await saidBy(
    place,
    `${beginning(folder())}
const { isDirectory } = fs.Stats.prototype;
fs.Stats.prototype.isDirectory = function () {
  if (runs++ === 0) {
    tried("from outside", () => fs.copyFileSync(at("secret"), at("to/stolen")));
    tried("to outside", () => fs.copyFileSync(at("from/leaf"), at("secret")));
    tried("stat", () => fs.statSync(at("secret")));
  }
  return isDirectory.call(this);
};
fs.mkdirSync(at("to"));
fs.cpSync(at("from"), at("to"), { recursive: true });${ending}`,
  );
  expect(said).toEqual({
    "from outside": "BlockedError",
    "to outside": "BlockedError",
    stat: "BlockedError",
    ran: true,
  });
});

test("a method that a program replaced, run inside of a read, opens the file no second time unasked", async () => {
  const said = await saidBy(
    place,
    `${beginning(folder())}
const { toString } = Buffer.prototype;
Buffer.prototype.toString = function (...args) {
  if (runs++ === 0) tried("write", () => fs.closeSync(fs.openSync(at("plain"), "w")));
  return toString.apply(this, args);
};
said.read = fs.readFileSync(at("plain"), "latin1");${ending}`,
  );
  expect(said).toEqual({ write: "BlockedError", read: "plain", ran: true });
});

test("a promise that a hook of the program's gave an answer is not the daemon's", async () => {
  const said = await saidBy(
    place,
    `${beginning(folder())}
let isOn = false;
createHook({
  init(_id, type, _trigger, resource) {
    if (!isOn || type !== "PROMISE") return;
    runs++;
    const writable = { writable: true, configurable: true };
    Object.defineProperty(resource, "then", { value: (resolve) => resolve({ args: null }), ...writable });
    Object.defineProperty(resource, "constructor", { value: class {}, ...writable });
  },
}).enable();
isOn = true;
const reading = fs.promises.readFile(at("secret"), "utf8");
const read = new Promise((resolve) => fs.readFile(at("secret"), "utf8", (error, text) => resolve(error?.name ?? text)));
isOn = false;
said.promise = await new Promise((resolve) => Promise.prototype.then.call(reading, resolve, (error) => resolve(error.name)));
said.callback = await new Promise((resolve) => Promise.prototype.then.call(read, resolve));${ending}`,
  );
  expect(said).toEqual({ promise: "BlockedError", callback: "BlockedError", ran: true });
});
