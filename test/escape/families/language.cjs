// Code that is made up as it runs, and other contexts.
"use strict";
const vm = require("node:vm");
const { createContext, runInContext, runInNewContext, runInThisContext, Script, compileFunction } = vm;

const code = `process.getBuiltinModule("fs").readFileSync(file, "utf8")`;
const withFile = (file) => code.replace("file", JSON.stringify(file));

exports.read = {
  "the Function constructor": ({ file }) => new Function("file", `return ${code}`)(file),
  "the constructor of an async function": ({ file }) => (async () => {}).constructor("file", `return ${code}`)(file),
  "the constructor of a generator": ({ file }) =>
    function* () {}.constructor("file", `yield ${code}`)(file).next().value,
  "direct eval": ({ file }) => eval(code) ?? file,
  "indirect eval": ({ file }) => (0, eval)(withFile(file)),
  "a timer's text": ({ file }) => new Promise((resolve) => setTimeout(() => resolve((0, eval)(withFile(file))), 1)),
  "vm.runInThisContext": ({ file }) => runInThisContext(withFile(file)),
  "vm.runInNewContext with require": ({ file }) =>
    runInNewContext(`require("fs").readFileSync(file, "utf8")`, { require, file }),
  "vm.runInNewContext with process": ({ file }) => runInNewContext(code, { process, file }),
  "the constructor of what is handed to a context": ({ file }) =>
    runInNewContext(
      `handed.constructor.constructor("return process")().mainModule.require("fs").readFileSync(file, "utf8")`,
      { handed: {}, file },
    ),
  "vm.runInContext": ({ file }) =>
    runInContext(
      `import_("fs").then((fs) => fs.readFileSync(file, "utf8"))`,
      createContext({ import_: (name) => import(name), file }),
    ),
  "vm.Script": ({ file }) => new Script(withFile(file)).runInThisContext(),
  "vm.Script with its own import": ({ file }) =>
    new Script(`import("fs").then((fs) => fs.readFileSync(${JSON.stringify(file)}, "utf8"))`, {
      importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER ?? ((name) => import(name)),
    }).runInThisContext(),
  "vm.compileFunction": ({ file }) => compileFunction(`return ${code}`, ["file"])(file),
  "functions of another context applied to ours": ({ file }) => {
    const theirs = runInNewContext(
      "({ apply: Reflect.apply, call: Function.prototype.call, bind: Function.prototype.bind })",
    );
    return theirs.apply(theirs.bind, require("fs").readFileSync, [null, file, "utf8"])();
  },
  "strings of another context": ({ file }) =>
    require("fs").readFileSync(runInNewContext("new String(file).toString()", { file }), "utf8"),
  "bytes of another context": ({ file }) =>
    require("fs").readFileSync(runInNewContext("new Uint8Array(bytes)", { bytes: [...Buffer.from(file)] }), "utf8"),
  "a URL of another context": ({ file }) =>
    require("fs").readFileSync(
      runInNewContext(
        `({ href: "file://" + file, protocol: "file:", pathname: file, hostname: "", search: "", hash: "" })`,
        { file },
      ),
      "utf8",
    ),
  "data: module": ({ file }) =>
    import(
      `data:text/javascript,import fs from "node:fs"; export default fs.readFileSync(${JSON.stringify(file)}, "utf8");`
    ).then((module) => module.default),
  "Module.prototype._compile": ({ file }) => {
    const module = new (require("node:module"))("made");
    module._compile(`module.exports = require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`, "/made.js");
    return module.exports;
  },
  "Module.wrap": ({ file }) => {
    const { Module } = require("node:module");
    return runInThisContext(Module.wrap(`return require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`))(
      null,
      require,
    );
  },
  "a REPL in this process": ({ file }) => {
    const { PassThrough } = require("node:stream");
    const [input, output] = [new PassThrough(), new PassThrough()];
    let text = "";
    output.on("data", (part) => {
      text += part;
    });
    require("node:repl").start({ input, output });
    input.write(`process.getBuiltinModule("fs").readFileSync(${JSON.stringify(file)}, "utf8")\n`);
    return new Promise((resolve) => setTimeout(() => resolve(text), 300));
  },
  "async_hooks run in an async scope": ({ file }) => {
    const { AsyncResource } = require("node:async_hooks");
    return new AsyncResource("x").runInAsyncScope(() => require("fs").readFileSync(file, "utf8"));
  },
  "an event listener": ({ file }) =>
    new Promise((resolve, reject) => {
      const target = new EventTarget();
      target.addEventListener("x", () => {
        try {
          resolve(require("fs").readFileSync(file, "utf8"));
        } catch (error) {
          reject(error);
        }
      });
      target.dispatchEvent(new Event("x"));
    }),
  "a WebAssembly module's import": async ({ file }) => {
    // (module (import "m" "f" (func)) (export "run" (func 0)))
    const bytes = Uint8Array.from([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 7, 7, 1, 3, 114, 117, 110, 0, 0,
    ]);
    let text = "";
    const m = { f: () => (text = require("fs").readFileSync(file, "utf8")) };
    const { instance } = await WebAssembly.instantiate(bytes, { m });
    instance.exports.run();
    return text;
  },
};
