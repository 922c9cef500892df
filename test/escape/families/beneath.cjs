// What lies beneath the builtins, and what can take them apart.
"use strict";
const fs = require("node:fs");

/** Puts a message to the inspector of this process, and answers what it answers. */
const posting = () => {
  const session = new (require("node:inspector").Session)();
  session.connect();
  return (method, parameters) => {
    let answer;
    session.post(method, parameters, (error, result) => {
      answer = { error, result };
    });
    if (answer.error) throw answer.error;
    return answer.result;
  };
};

const evaluated = (expression, options) => {
  const { result, exceptionDetails } = posting()("Runtime.evaluate", { expression, ...options });
  return result.value ?? exceptionDetails.exception.description;
};

exports.read = {
  "process.binding": ({ file }) => fs.readFileSync(process.binding("fs").open(file, 0, 0o666), "utf8"),
  "process.binding of natives": ({ file }) => {
    const natives = process.binding("natives");
    return typeof natives.fs === "string" ? fs.readFileSync(file, "utf8") : "";
  },
  "process._linkedBinding": ({ file }) => {
    try {
      return process._linkedBinding("fs").readFileUtf8(file, 0);
    } catch (error) {
      if (error.name === "BlockedError") throw error;
      return fs.readFileSync(file, "utf8");
    }
  },
  "an addon": ({ database }) => {
    const Database = require("better-sqlite3");
    const memory = new Database(":memory:");
    memory.exec(`attach '${database}' as other`);
    return memory.prepare("select secret from other.t").get().secret;
  },
  "an inspector's view of a function": ({ file }) => {
    const post = posting();
    globalThis.seen = fs.readFileSync;
    const { result } = post("Runtime.evaluate", { expression: "seen" });
    const queue = [result.objectId];
    const functionDeclaration = `function (file) {
      try { return typeof this === "function" ? String(this(file, "utf8")) : ""; } catch (error) { return error.name; }
    }`;
    for (let at = 0; at < Math.min(queue.length, 300); at++) {
      const objectId = queue[at];
      const { result: own = [], internalProperties = [] } = post("Runtime.getProperties", {
        objectId,
        ownProperties: true,
      });
      const said = post("Runtime.callFunctionOn", { objectId, functionDeclaration, arguments: [{ value: file }] });
      if (/root:x:0:0|"secret"/.test(said.result?.value)) return said.result.value;
      for (const { value } of [...internalProperties, ...own]) if (value?.objectId) queue.push(value.objectId);
    }
    return fs.readFileSync(file, "utf8");
  },
  "an inspector that evaluates": ({ file }) =>
    evaluated(`process.getBuiltinModule("fs").readFileSync(${JSON.stringify(file)}, "utf8")`),
  "an inspector with the command line's require": ({ file }) =>
    evaluated(`require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`, { includeCommandLineAPI: true }),
  "wasi: a module that reads": async ({ folder }) => {
    const { WASI } = require("node:wasi");
    const wasi = new WASI({ version: "preview1", preopens: { "/p": folder } });
    const { readerModule } = await import("./_wasm.mjs");
    const module = await WebAssembly.compile(readerModule("secret.json"));
    const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
    wasi.start(instance);
    return "see above";
  },
  "wasi: a folder above": async ({ folder }) => {
    const { WASI } = require("node:wasi");
    const { basename, dirname } = require("node:path");
    const wasi = new WASI({ version: "preview1", preopens: { "/p": dirname(folder) } });
    const { readerModule } = await import("./_wasm.mjs");
    const module = await WebAssembly.compile(readerModule(`${basename(folder)}/secret.json`));
    wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
    return "see above";
  },
  "natives syntax": ({ file }) => {
    require("node:v8").setFlagsFromString("--allow-natives-syntax");
    const read = new Function(
      "wrapper",
      "file",
      `%CompileOptimized; return wrapper(file, "utf8");`.replace(
        "%CompileOptimized;",
        "%GetOptimizationStatus(wrapper);",
      ),
    );
    return read(fs.readFileSync, file);
  },
  "arguments.callee.caller": ({ file }) => {
    let caller = null;
    const options = {
      get encoding() {
        try {
          caller = Function("return arguments.callee.caller")();
        } catch {}
        return "utf8";
      },
    };
    try {
      return fs.readFileSync(file, options);
    } catch (error) {
      if (typeof caller === "function") return caller(file, "utf8");
      throw error;
    }
  },
  "a handle of an open file, by its number": ({ file }) => {
    const before = fs.openSync("/dev/null");
    fs.closeSync(before);
    let descriptor = null;
    try {
      descriptor = fs.openSync(file);
    } catch (error) {
      const bytes = Buffer.alloc(64);
      try {
        fs.readSync(before, bytes);
        return bytes.toString();
      } catch {
        throw error;
      }
    }
    return fs.readFileSync(descriptor, "utf8");
  },
};

exports.run = {
  "process.binding, to run": ({ id }) => {
    const { Process } = process.binding("process_wrap");
    const handle = new Process();
    handle.onexit = () => undefined;
    const fds = [{ type: "ignore" }, { type: "inherit", fd: 1 }, { type: "ignore" }];
    handle.spawn({ file: id, args: ["x"], stdio: fds });
    return new Promise((resolve) => setTimeout(resolve, 200, ""));
  },
  "process.binding of spawn_sync": ({ id }) => {
    const { spawn } = process.binding("spawn_sync");
    const { output } = spawn({
      file: id,
      args: ["x"],
      stdio: [
        { type: "pipe", readable: true },
        { type: "pipe", writable: true },
      ],
    });
    return String(output[1]);
  },
};

exports.reach = {
  "process.binding, to connect": ({ port }) => {
    const { TCP, TCPConnectWrap } = process.binding("tcp_wrap");
    const code = new TCP(0).connect(new TCPConnectWrap(), "127.0.0.1", port);
    return new Promise((resolve) => setTimeout(resolve, 100, String(code)));
  },
};
exports.limits = { "an addon": "native-code" };
