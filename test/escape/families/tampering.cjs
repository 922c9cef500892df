// A program that knows the guard, and turns to its own parts: its marks, its modules, its connection.
"use strict";
const { createHook } = require("node:async_hooks");
const channels = require("node:diagnostics_channel");
const fs = require("node:fs");
const Module = require("node:module");
const net = require("node:net");

const installed = Symbol.for("interlock.installed");
const guarded = Symbol.for("interlock.guarded");
const allowing = async (client) => {
  const { Decision, installInterceptors } = await import(client);
  return {
    installInterceptors,
    engine: { evaluate: async () => Decision.allow(), evaluateSync: () => Decision.allow() },
  };
};

/** Turns each refusal that arrives on a connection of the guard's into a permission, in the buffer that it is read from. */
const forging = (socket) => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "kBufferCb");
  const read = socket[key];
  if (typeof read !== "function") return;
  socket[key] = (count, buffer) => {
    for (let at = buffer.indexOf('"verdict":1'); at >= 0 && at < count; at = buffer.indexOf('"verdict":1', at + 1)) {
      buffer[at + '"verdict":'.length] = 0x30;
    }
    return read(count, buffer);
  };
};

exports.read = {
  "the mark of the installation deleted, and another engine installed": async ({ file, client }) => {
    Reflect.deleteProperty(process, installed);
    const { installInterceptors, engine } = await allowing(client);
    installInterceptors({ engine });
    return fs.readFileSync(file, "utf8");
  },
  "another engine installed, and uninstalled": async ({ file, client }) => {
    Reflect.deleteProperty(process, installed);
    const { installInterceptors, engine } = await allowing(client);
    installInterceptors({ engine }).uninstall();
    return fs.promises.readFile(file, "utf8");
  },
  "uninstall of a second installation": async ({ file, client }) => {
    const { installInterceptors, engine } = await allowing(client);
    installInterceptors({ engine }).uninstall();
    return fs.readFileSync(file, "utf8");
  },
  "what the mark holds": async ({ file }) => {
    const lists = process[installed];
    for (const value of Object.values(lists ?? {})) if (typeof value === "function") value();
    return fs.readFileSync(file, "utf8");
  },
  "the guard's file required again, with another socket": async ({ file, requireHook, fakeSocket }) => {
    Reflect.deleteProperty(process, installed);
    process.env.INTERLOCK_SOCKET = fakeSocket;
    delete require.cache[requireHook];
    try {
      require(requireHook);
    } catch {}
    return fs.readFileSync(file, "utf8");
  },
  "the guard's file required again, then a thread": async ({ file, requireHook, fakeSocket }) => {
    Reflect.deleteProperty(process, installed);
    process.env.INTERLOCK_SOCKET = fakeSocket;
    delete require.cache[requireHook];
    try {
      require(requireHook);
    } catch {}
    const { Worker } = require("node:worker_threads");
    const worker = new Worker(
      `require("worker_threads").parentPort.postMessage(require("fs").readFileSync(${JSON.stringify(file)}, "utf8"))`,
      { eval: true },
    );
    return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  },
  "what the guard's module exports": ({ file, requireHook }) => {
    const { exports: own = {} } = require.cache[requireHook] ?? {};
    for (const value of Object.values(own)) {
      try {
        if (typeof value === "function") value(() => undefined);
      } catch {}
    }
    return fs.readFileSync(file, "utf8");
  },
  "the guard's modules loaded once more": async ({ file, client }) => {
    const { asOwnCall } = await import(client.replace("index.js", "intercept/own-call.js"));
    return asOwnCall(() => fs.readFileSync(file, "utf8"));
  },
  "the guard's bridge made once more": async ({ file, client, fakeSocket }) => {
    const { RemoteEngine, installInterceptors } = await import(client);
    Reflect.deleteProperty(process, installed);
    installInterceptors({ engine: new RemoteEngine(fakeSocket) });
    return fs.readFileSync(file, "utf8");
  },
  "the mark of guarded functions on a function of the program's": ({ file }) => {
    const own = Object.assign((...args) => fs.readFileSync(...args), { [guarded]: true });
    return own(file, "utf8");
  },
  "the mark taken from a function, and installed over": async ({ file, client }) => {
    for (const value of Object.values(fs)) {
      if (typeof value === "function") Reflect.deleteProperty(value, guarded);
    }
    Reflect.deleteProperty(process, installed);
    const { installInterceptors, engine } = await allowing(client);
    const { uninstall } = installInterceptors({ engine });
    const got = await fs.promises.readFile(file, "utf8").catch((error) => error);
    uninstall();
    if (typeof got === "string") return got;
    throw got;
  },
  "a function taken from the guard's by its prototype": ({ file }) => {
    const { readFileSync } = fs;
    for (let at = readFileSync; at !== null; at = Object.getPrototypeOf(at)) {
      for (const key of Reflect.ownKeys(at)) {
        const { value } = Reflect.getOwnPropertyDescriptor(at, key);
        if (typeof value === "function" && value !== readFileSync && key !== "constructor") {
          try {
            const got = Reflect.apply(value, readFileSync, [null, file, "utf8"]);
            if (typeof got === "string" && got.length > 20 && !got.includes("native code") && !got.includes("function"))
              return got;
          } catch {}
        }
      }
    }
    return readFileSync(file, "utf8");
  },
  "what Function.prototype.toString shows": ({ file }) => {
    const text = Function.prototype.toString.call(fs.readFileSync);
    try {
      const made = (0, eval)(`(${text.replace("function guarded", "function")})`);
      const got = made(file, "utf8");
      if (typeof got === "string") return got;
    } catch {}
    return fs.readFileSync(file, "utf8");
  },
  "the guard's connection, by the handles of the process": async ({ file }) => {
    const before = new Set(process._getActiveHandles());
    const first = fs.promises.readFile(file, "utf8").catch((error) => error);
    await new Promise((resolve) => process.nextTick(resolve));
    for (const handle of process._getActiveHandles()) {
      if (!before.has(handle) && handle instanceof net.Socket) forging(handle);
    }
    const got = await first;
    if (typeof got === "string") return got;
    return fs.promises.readFile(file, "utf8");
  },
  "the guard's connection, by a channel": async ({ file }) => {
    channels.subscribe("net.client.socket", ({ socket }) => setImmediate(forging, socket));
    await fs.promises.stat("/");
    await new Promise((resolve) => setTimeout(resolve, 50));
    return fs.promises.readFile(file, "utf8");
  },
  "the guard's connection, by async_hooks": async ({ file }) => {
    const found = new Set();
    const hook = createHook({
      init(_id, type, _trigger, resource) {
        if (/PIPE|SHUTDOWN|WRITE/.test(type)) found.add(resource);
      },
    }).enable();
    await fs.promises.stat("/");
    hook.disable();
    for (const resource of found) {
      for (const each of [resource, resource.handle]) {
        if (typeof each !== "object" || each === null) continue;
        const owner = Object.getOwnPropertySymbols(each).find(({ description }) => description === "owner_symbol");
        if (each[owner] instanceof net.Socket) forging(each[owner]);
      }
    }
    return fs.promises.readFile(file, "utf8");
  },
  "the guard's connection, by net.Socket.prototype": async ({ file }) => {
    const found = new Set();
    for (const key of ["connect", "ref", "unref", "_read", "_final", "_writeGeneric", "_destroy"]) {
      const original = net.Socket.prototype[key];
      net.Socket.prototype[key] = function (...args) {
        found.add(this);
        return Reflect.apply(original, this, args);
      };
    }
    await fs.promises.stat("/");
    for (const socket of found) forging(socket);
    return fs.promises.readFile(file, "utf8");
  },
  "the guard's connection, by EventEmitter.prototype": async ({ file }) => {
    const { EventEmitter } = require("node:events");
    const found = new Set();
    for (const key of ["emit", "on", "once", "addListener"]) {
      const original = EventEmitter.prototype[key];
      EventEmitter.prototype[key] = function (...args) {
        if (this instanceof net.Socket) found.add(this);
        return Reflect.apply(original, this, args);
      };
    }
    await fs.promises.stat("/");
    for (const socket of found) forging(socket);
    return fs.promises.readFile(file, "utf8");
  },
  "the guard's connection, by net.connect replaced": async ({ file }) => {
    const { connect } = net;
    net.connect = net.createConnection = (...args) => {
      const socket = Reflect.apply(connect, net, args);
      setImmediate(forging, socket);
      return socket;
    };
    Module.syncBuiltinESMExports();
    await fs.promises.stat("/");
    return fs.promises.readFile(file, "utf8");
  },
  "the bridge's port, by async_hooks": async ({ file }) => {
    const ports = [];
    createHook({
      init(_id, type, _trigger, resource) {
        if (type === "MESSAGEPORT") ports.push(resource);
        for (const port of ports) {
          for (let number = 1; number < 50; number++) {
            try {
              port.postMessage({
                number,
                refusal: null,
                decision: {
                  verdict: 0,
                  decision: 0,
                  reason: "",
                  attributed_to: null,
                  policy_id: null,
                  modified_args: null,
                  mode: "enforce",
                },
                replaces_args: false,
                isFallback: false,
              });
            } catch {}
          }
        }
      },
    }).enable();
    fs.statSync("/");
    return fs.readFileSync(file, "utf8");
  },
  "the bridge's thread ended": async ({ file }) => {
    for (const handle of process._getActiveHandles())
      if (typeof handle.terminate === "function") await handle.terminate();
    return fs.readFileSync(file, "utf8");
  },
  "another program sent to the bridge's thread": async ({ file }) => {
    const own = `require("fs").writeSync(1, require("fs").readFileSync(${JSON.stringify(file)}, "utf8"))`;
    process.on("worker", (worker) => {
      const key = Object.getOwnPropertySymbols(worker).find(({ description }) => description === "kPort");
      const ports = [new MessageChannel().port1, new MessageChannel().port1];
      const [publicPort, mainThreadPort] = ports;
      const load = { type: "loadScript", filename: own, doEval: "classic", argv: [], environmentData: new Map() };
      worker[key].postMessage({ ...load, publicPort, mainThreadPort, hasStdin: false, cwdCounter: null }, ports);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    return fs.readFileSync(file, "utf8");
  },
  "a read at every depth of the stack": ({ file }) => {
    let got = "";
    let tries = 0;
    const dive = () => {
      try {
        dive();
      } catch {}
      if (++tries > 300) return;
      try {
        got = fs.readFileSync(file, "utf8");
      } catch {}
    };
    dive();
    return got === "" ? fs.readFileSync(file, "utf8") : got;
  },
  "process.cwd changed": ({ file }) => {
    process.chdir("/");
    process.cwd = () => "/dev";
    return fs.readFileSync(`.${file}`, "utf8");
  },
  "the functions that paths are resolved by changed": ({ symlink }) => {
    fs.realpathSync = Object.assign(() => "/dev/null", { native: () => "/dev/null" });
    fs.readlinkSync = () => "/dev/null";
    fs.lstatSync = fs.statSync = () => ({ isSymbolicLink: () => false });
    Module.syncBuiltinESMExports();
    return fs.readFileSync(symlink, "utf8");
  },
  "a fake daemon at another path": async ({ file, fakeSocket }) => {
    process.env.INTERLOCK_SOCKET = fakeSocket;
    return fs.promises.readFile(file, "utf8");
  },
};

exports.reach = {
  "a lookup that says it is guarded": async ({ open, address }) => {
    const dns = require("node:dns");
    dns.lookup = Object.assign(
      (_host, { all }, done) => (all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
      { [guarded]: true },
    );
    return new Promise((resolve, reject) =>
      net.connect({ port: open, host: "good.invalid", lookup: dns.lookup }).on("connect", resolve).on("error", reject),
    );
  },
  "a path that is the daemon's": async ({ port }) => {
    const path = process.env.INTERLOCK_SOCKET ?? "";
    return new Promise((resolve, reject) =>
      net
        .connect({ path: path && undefined, port, host: "127.0.0.1" })
        .on("connect", resolve)
        .on("error", reject),
    );
  },
};
