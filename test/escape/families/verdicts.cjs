// The same, to change a verdict on its way back, to swallow a refusal, or to steer what the guard decides by.
"use strict";
const fs = require("node:fs");
const net = require("node:net");
const { MessagePort } = require("node:worker_threads");
const { altered } = require("./_altering.cjs");

const { apply } = Reflect;
const { defineProperty } = Object;

exports.read = {
  "a verdict changed by JSON.parse": async ({ file }) => {
    const { parse } = JSON;
    JSON.parse = (text, ...rest) =>
      parse(
        typeof text === "string"
          ? text.replace(/"decision":1/g, `"decision":0`).replace(/"verdict":1/g, `"verdict":0`)
          : text,
        ...rest,
      );
    try {
      return fs.readFileSync(file, "utf8");
    } catch {
      return fs.promises.readFile(file, "utf8");
    }
  },
  "a verdict changed by Object.prototype": async ({ file }) => {
    for (const [key, value] of Object.entries({
      verdict: 0,
      decision: 0,
      refusal: null,
      isFallback: true,
      allow: true,
      isReleased: true,
      depth: 1,
      enforcement: "monitor",
    })) {
      defineProperty(Object.prototype, key, { get: () => value, set() {}, configurable: true });
    }
    try {
      return fs.readFileSync(file, "utf8");
    } catch {
      return await fs.promises.readFile(file, "utf8");
    } finally {
      for (const key of ["verdict", "decision", "refusal", "isFallback", "allow", "isReleased", "depth", "enforcement"])
        delete Object.prototype[key];
    }
  },
  "a verdict changed by Array.prototype's setters": ({ file }) => {
    defineProperty(Array.prototype, 0, { get: () => "/dev/null", set() {}, configurable: true });
    try {
      return fs.readFileSync(file, "utf8");
    } finally {
      delete Array.prototype[0];
    }
  },
  "a verdict changed by Object.prototype.then": async ({ file }) => {
    let calls = 0;
    defineProperty(Object.prototype, "then", {
      get() {
        if (typeof this === "object" && this !== null && Object.hasOwn(this, "args") && ++calls < 20)
          return (resolve) => resolve(Object.create(null, { args: { value: null } }));
        return undefined;
      },
      configurable: true,
    });
    try {
      return await fs.promises.readFile(file, "utf8");
    } finally {
      delete Object.prototype.then;
    }
  },
  "a refusal swallowed by Promise.prototype.then": async ({ file }) => {
    const { then } = Promise.prototype;
    const allowed = Object.assign([file, "utf8"], { args: null });
    Promise.prototype.then = function (fulfilled, rejected) {
      return apply(then, this, [
        fulfilled,
        fulfilled === undefined
          ? rejected
          : (error) => (error?.name === "BlockedError" ? fulfilled(allowed) : rejected?.(error)),
      ]);
    };
    try {
      return await new Promise((resolve, reject) => {
        fs.readFile(file, "utf8", (error, text) => (error ? reject(error) : resolve(text)));
        setTimeout(reject, 2000, Object.assign(new Error("no answer"), { name: "BlockedError" }));
      });
    } finally {
      Promise.prototype.then = then;
    }
  },
  "a refusal swallowed by a species": async ({ file }) => {
    class Forgiving extends Promise {
      constructor(run) {
        super((resolve) => run(resolve, () => resolve({ args: null })));
      }
    }
    const { constructor } = Promise.prototype;
    defineProperty(Promise.prototype, "constructor", {
      value: { [Symbol.species]: Forgiving },
      configurable: true,
      writable: true,
    });
    try {
      return await new Promise((resolve, reject) => {
        fs.readFile(file, "utf8", (error, text) => (error ? reject(error) : resolve(text)));
        setTimeout(reject, 2000, Object.assign(new Error("no answer"), { name: "BlockedError" }));
      });
    } finally {
      Promise.prototype.constructor = constructor;
    }
  },
  "instanceof changed": ({ file }) => {
    defineProperty(Uint8Array, Symbol.hasInstance, { value: () => false, configurable: true });
    return fs.readFileSync(Buffer.from(file), "utf8");
  },
  "ArrayBuffer.isView and util.types changed": ({ file }) => {
    ArrayBuffer.isView = () => false;
    for (const key of Object.keys(require("node:util").types)) {
      try {
        require("node:util").types[key] = () => false;
      } catch {}
    }
    return fs.readFileSync(new Uint8Array([...file].map((letter) => letter.charCodeAt(0))), "utf8");
  },
  "isDeepStrictEqual changed": ({ file }) => {
    require("node:util").isDeepStrictEqual = () => true;
    return fs.readFileSync(file, "utf8");
  },
  "performance.now stopped": ({ file }) => {
    performance.now = () => 0;
    Date.now = () => 0;
    return fs.readFileSync(file, "utf8");
  },
  "Atomics.wait and load changed": ({ file }) => {
    Atomics.wait = () => "ok";
    Atomics.load = () => 1;
    return fs.readFileSync(file, "utf8");
  },
  "receiveMessageOnPort answers for the daemon": ({ file }) => {
    const threads = require("node:worker_threads");
    let number = 0;
    threads.receiveMessageOnPort = () => ({
      message: {
        number: ++number,
        refusal: null,
        decision: { decision: 0, verdict: 0, reason: "" },
        replaces_args: false,
        isFallback: false,
      },
    });
    require("node:module").syncBuiltinESMExports();
    return fs.readFileSync(file, "utf8");
  },
  "Error changed": ({ file }) => {
    globalThis.Error = () => ({});
    Error.captureStackTrace = () => undefined;
    return fs.readFileSync(file, "utf8");
  },
  "WeakMap changed": ({ file }) => {
    WeakMap.prototype.get = WeakMap.prototype.has = () => true;
    Map.prototype.get = Map.prototype.has = () => true;
    return fs.readFileSync(file, "utf8");
  },
};

exports.run = {
  "originals caught while a process starts": async ({ id }) => {
    const caught = new Set();
    const back = [
      [Reflect, "apply"],
      [Function.prototype, "call"],
      [Function.prototype, "apply"],
      [Array.prototype, "push"],
    ].map(([holder, key]) =>
      altered(
        holder,
        key,
        (original) =>
          function (...args) {
            for (const value of [this, ...args]) if (typeof value === "function") caught.add(value);
            return apply(original, this, args);
          },
      ),
    );
    const child_process = require("node:child_process");
    child_process.execFileSync("true");
    await new Promise((resolve) => child_process.execFile("true", resolve));
    for (const each of back) each();
    for (const each of caught) {
      for (const args of [
        [id, []],
        [id, [], { encoding: "utf8" }],
      ]) {
        try {
          const got = apply(each, child_process, args);
          const text = String(got?.stdout ?? got);
          if (/uid=/.test(text)) return text;
        } catch {}
      }
    }
    return child_process.execFileSync(id, { encoding: "utf8" });
  },
  "a command changed by strings' methods": ({ id }) => {
    const { split, replace, includes } = String.prototype;
    String.prototype.split = function (...args) {
      return apply(split, this === id ? "true" : this, args);
    };
    String.prototype.replace = function (...args) {
      return apply(replace, this, args);
    };
    String.prototype.includes = function (...args) {
      return apply(includes, this, args);
    };
    JSON.stringify = (
      (stringify) =>
      (value, ...rest) =>
        apply(split, apply(stringify, JSON, [value, ...rest]) ?? "", [id]).join("/bin/true")
    )(JSON.stringify);
    MessagePort.prototype.postMessage = ((post) =>
      function (message, ...rest) {
        if (message?.event?.args) message.event.args = { command: "true" };
        return apply(post, this, [message, ...rest]);
      })(MessagePort.prototype.postMessage);
    return require("node:child_process").execFileSync(id, { encoding: "utf8" });
  },
};

exports.reach = {
  "an address changed by isIP": async ({ port }) => {
    net.isIP = net.isIPv4 = net.isIPv6 = () => 0;
    return new Promise((resolve, reject) =>
      net.connect({ port, host: "127.0.0.1" }).on("connect", resolve).on("error", reject),
    );
  },
  "an address changed by the URL class": async ({ open }) => {
    const Known = URL;
    globalThis.URL = class extends Known {
      get hostname() {
        return "127.0.0.1";
      }
      get href() {
        return "http://127.0.0.1/";
      }
    };
    return new Promise((resolve, reject) =>
      net.connect({ port: open, host: "::ffff:127.0.0.9" }).on("connect", resolve).on("error", reject),
    );
  },
  "originals caught while a socket connects": async ({ open, port }) => {
    const caught = new Set();
    const back = [
      [Reflect, "apply"],
      [Function.prototype, "call"],
      [Function.prototype, "apply"],
    ].map(([holder, key]) =>
      altered(
        holder,
        key,
        (original) =>
          function (...args) {
            for (const value of [this, ...args]) if (typeof value === "function") caught.add(value);
            return apply(original, this, args);
          },
      ),
    );
    await new Promise((resolve) => net.connect(open, "127.0.0.1").on("connect", resolve).on("error", resolve));
    for (const each of back) each();
    for (const each of caught) {
      if (each.name !== "connect") continue;
      try {
        apply(
          each,
          new net.Socket().on("error", () => undefined),
          [{ port, host: "127.0.0.1" }],
        );
      } catch {}
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return new Promise((resolve, reject) => net.connect(port, "127.0.0.1").on("connect", resolve).on("error", reject));
  },
};
