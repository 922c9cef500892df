// Every way in which a program comes by the functions of a builtin.
import child_process, { execFileSync, execSync as run } from "node:child_process";
import * as allOfFs from "node:fs";
import { readFile } from "node:fs/promises";
import Module, { createRequire, syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import defaultFs, { readFileSync } from "fs";
import { dialed } from "./_help.mjs";

const require = createRequire(import.meta.url);
const named = (prefix) => `data:text/javascript,export * from "${prefix}fs"; export { default } from "${prefix}fs";`;

export const read = {
  "named import": ({ file }) => readFileSync(file, "utf8"),
  "default import": ({ file }) => defaultFs.readFileSync(file, "utf8"),
  "namespace import": ({ file }) => allOfFs.readFileSync(file, "utf8"),
  "named import of fs/promises": ({ file }) => readFile(file, "utf8"),
  "dynamic import": async ({ file }) => (await import("node:fs")).readFileSync(file, "utf8"),
  "dynamic import, default": async ({ file }) => (await import("fs")).default.promises.readFile(file, "utf8"),
  "re-export of a data: module": async ({ file }) => (await import(named("node:"))).readFileSync(file, "utf8"),
  createRequire: ({ file }) => require("fs").readFileSync(file, "utf8"),
  "createRequire of another folder": ({ file }) => createRequire("/")("node:fs").readFileSync(file, "utf8"),
  "process.getBuiltinModule": ({ file }) => process.getBuiltinModule("fs").readFileSync(file, "utf8"),
  "process.mainModule.require": ({ file }) => process.mainModule.require("fs").readFileSync(file, "utf8"),
  "Module._load": ({ file }) => Module._load("fs", null, false).readFileSync(file, "utf8"),
  "Module.prototype.require": ({ file }) => new Module("x").require("fs").readFileSync(file, "utf8"),
  "the module's constructor": ({ file }) => process.mainModule.constructor._load("fs").readFileSync(file, "utf8"),
  "a property descriptor": ({ file }) => Object.getOwnPropertyDescriptor(defaultFs, "readFileSync").value(file, "utf8"),
  "a copy of the module": ({ file }) => ({ ...defaultFs }).readFileSync(file, "utf8"),
  "a named import, after the module's exports are published again": ({ file }) => {
    Object.defineProperty(defaultFs, "readFileSync", { value: defaultFs.promises.readFile });
    syncBuiltinESMExports();
    return readFileSync(file, "utf8");
  },
  "bound, called and applied": ({ file }) => Reflect.apply(readFileSync.bind(null).call, readFileSync, [null, file]),
  "a required module whose cache entry is gone": ({ file }) => {
    for (const key of Object.keys(require.cache)) delete require.cache[key];
    return require("fs").readFileSync(file, "utf8");
  },
};

export { runs as run };

const runs = {
  "named import under another name": () => run("id", { encoding: "utf8" }),
  "default import, to run": ({ id }) => child_process.execFileSync(id, { encoding: "utf8" }),
  "dynamic import, to run": async ({ id }) => (await import("child_process")).execFileSync(id, { encoding: "utf8" }),
  "process.getBuiltinModule, to run": () => process.getBuiltinModule("child_process").execSync("id").toString(),
  "indirect call": ({ id }) => (0, execFileSync)(id, { encoding: "utf8" }),
};

export const reach = {
  "named import, to connect": ({ port }) => dialed(connect(port)),
  "dynamic import, to connect": async ({ port }) => dialed((await import("net")).createConnection({ port })),
  "process.getBuiltinModule, to connect": ({ port }) => dialed(process.getBuiltinModule("net").connect({ port })),
};
