// A program that alters what JavaScript and Node give to everybody: to catch an original function, to change a question on its
// way to the daemon, or a verdict on its way back.
"use strict";
const fs = require("node:fs");
const { EventEmitter } = require("node:events");
const net = require("node:net");
const { Readable, Writable } = require("node:stream");
const { MessagePort } = require("node:worker_threads");

const { apply, construct, ownKeys, getOwnPropertyDescriptor } = Reflect;
const { defineProperty } = Object;
const isRead = (text) => typeof text === "string" && /root:x:0:0|"secret"/.test(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

/** Puts another function in the place of one, and answers how it is put back. */
const altered = (holder, key, make) => {
  const before = getOwnPropertyDescriptor(holder, key);
  if (typeof before?.value !== "function" || before.configurable === false) return () => undefined;
  const { value: original } = before;
  const replacement = make(original);
  defineProperty(holder, key, { ...before, value: replacement });
  return () => defineProperty(holder, key, before);
};

/** What the guard is asked about with no harm done. */
const harmless = async () => {
  fs.readFileSync("/dev/null", "utf8");
  fs.openSync("/dev/null");
  await fs.promises.readFile("/dev/null", "utf8");
  await new Promise((resolve) => fs.readFile("/dev/null", resolve));
  for await (const part of fs.createReadStream("/dev/null")) void part;
};

/** Catches every function that passes through, and then reads with those that may be originals. */
const leaking =
  (...places) =>
  async ({ file }) => {
    const caught = [];
    let isOn = true;
    const keep = (value) => {
      if (typeof value === "function") caught[caught.length] = value;
      else if (typeof value === "object" && value !== null && isOn) {
        isOn = false;
        try {
          for (const key of ownKeys(value)) {
            const own = getOwnPropertyDescriptor(value, key)?.value;
            if (typeof own === "function") caught[caught.length] = own;
          }
        } catch {}
        isOn = true;
      }
    };
    const back = places.map(([holder, key]) =>
      altered(holder, key, (original) => {
        const spy = function (...args) {
          if (isOn) {
            keep(this);
            for (let at = 0; at < args.length; at++) keep(args[at]);
          }
          return new.target === undefined
            ? apply(original, this, args)
            : construct(original, args, new.target === spy ? original : new.target);
        };
        for (const own of ownKeys(original)) {
          if (own === "name" || own === "length" || own === "prototype") continue;
          try {
            defineProperty(spy, own, getOwnPropertyDescriptor(original, own));
          } catch {}
        }
        if (original.prototype !== undefined) spy.prototype = original.prototype;
        return spy;
      }),
    );
    try {
      await harmless();
    } catch {}
    isOn = false;
    for (const each of back) each();
    const results = [];
    process.on("uncaughtException", () => undefined);
    for (const each of new Set(caught)) {
      if (!/^(|open|openSync|readFile|readFileSync|guarded|run|call)$/.test(each.name)) continue;
      for (const args of [[file, "utf8"], [file], [file, "r", 0o666]]) {
        try {
          const got = apply(each, fs, args);
          if (typeof got === "number" && got > 2 && got < 100) {
            const bytes = new Uint8Array(4096);
            const count = fs.readSync(got, bytes);
            results.push(decode(bytes.subarray(0, count)));
          } else results.push(got instanceof Promise ? await got.catch(String) : got);
        } catch {}
      }
    }
    const text = results.map((result) => (ArrayBuffer.isView(result) ? decode(result) : result)).find(isRead);
    return text ?? fs.readFileSync(file, "utf8");
  };

/** Says another path wherever the file's stands, while the file is read. */
const lying =
  (...places) =>
  async ({ file }) => {
    let isOn = false;
    const harmlessName = "/dev/null";
    const changed = (value, depth = 0) => {
      if (typeof value === "string") return value.split(file).join(harmlessName);
      if (ArrayBuffer.isView(value) || typeof value !== "object" || value === null || depth > 5) return value;
      for (const key of ownKeys(value)) {
        const own = getOwnPropertyDescriptor(value, key);
        if (own === undefined || !("value" in own) || own.writable === false) continue;
        const next = changed(own.value, depth + 1);
        if (next !== own.value) value[key] = next;
      }
      return value;
    };
    const back = places.map(([holder, key]) =>
      altered(
        holder,
        key,
        (original) =>
          function (...args) {
            if (!isOn) return new.target ? Reflect.construct(original, args, new.target) : apply(original, this, args);
            isOn = false;
            try {
              const given = args.map((value) =>
                changed(typeof value === "object" && value !== null && !ArrayBuffer.isView(value) ? value : value),
              );
              isOn = true;
              const result = new.target ? Reflect.construct(original, given, new.target) : apply(original, this, given);
              isOn = false;
              return typeof result === "string" ? changed(result) : result;
            } finally {
              isOn = true;
            }
          },
      ),
    );
    const said = [];
    for (const step of [
      () => fs.readFileSync(file, "utf8"),
      () => decode(fs.readFileSync(file)),
      () => fs.promises.readFile(file, "utf8"),
      () =>
        new Promise((resolve, reject) =>
          fs.readFile(file, "utf8", (error, text) => (error ? reject(error) : resolve(text))),
        ),
    ]) {
      isOn = true;
      try {
        const running = step();
        said.push(await running);
      } catch (error) {
        said.push(error.name);
      }
      isOn = false;
    }
    for (const each of back) each();
    return said.some(isRead) ? said.find(isRead) : (said.push(fs.readFileSync(file, "utf8")), said.at(-1));
  };

const generator = Object.getPrototypeOf(function* () {}).prototype;
const arrayIterator = Object.getPrototypeOf([][Symbol.iterator]());
const everyMethodOf = (...holders) =>
  holders.flatMap((holder) =>
    ownKeys(holder)
      .filter((key) => key !== "constructor")
      .map((key) => [holder, key]),
  );
const typed = Object.getPrototypeOf(Uint8Array);

exports.read = {
  "Reflect.apply": leaking([Reflect, "apply"]),
  "Reflect.construct": leaking([Reflect, "construct"]),
  "Function.prototype.call": leaking([Function.prototype, "call"]),
  "Function.prototype.apply": leaking([Function.prototype, "apply"]),
  "Function.prototype.bind": leaking([Function.prototype, "bind"]),
  "Promise.prototype.then": leaking([Promise.prototype, "then"]),
  "Promise.prototype.catch and finally": leaking([Promise.prototype, "catch"], [Promise.prototype, "finally"]),
  "the Promise itself": leaking([globalThis, "Promise"]),
  "Array.prototype.map and forEach": leaking([Array.prototype, "map"], [Array.prototype, "forEach"]),
  "Array.prototype.push": leaking([Array.prototype, "push"]),
  "Array.prototype.find, filter, some and every": leaking(
    ...["find", "findIndex", "findLastIndex", "filter", "some", "every", "includes"].map((key) => [
      Array.prototype,
      key,
    ]),
  ),
  "Array.prototype's iterator": leaking([Array.prototype, Symbol.iterator], [arrayIterator, "next"]),
  "Array.from and isArray": leaking([Array, "from"], [Array, "isArray"]),
  "Object.defineProperty": leaking([Object, "defineProperty"], [Reflect, "defineProperty"]),
  "Object.entries, keys and fromEntries": leaking([Object, "entries"], [Object, "keys"], [Object, "fromEntries"]),
  "Object.assign, create and freeze": leaking([Object, "assign"], [Object, "create"], [Object, "freeze"]),
  "Reflect.get and ownKeys": leaking([Reflect, "get"], [Reflect, "ownKeys"], [Reflect, "getOwnPropertyDescriptor"]),
  "Map.prototype and Set.prototype": leaking(...everyMethodOf(Map.prototype, Set.prototype)),
  "WeakMap.prototype and WeakSet.prototype": leaking(...everyMethodOf(WeakMap.prototype, WeakSet.prototype)),
  "process.nextTick": leaking([process, "nextTick"]),
  "Function.prototype's call, apply and bind": leaking(
    ...["call", "apply", "bind"].map((key) => [Function.prototype, key]),
  ),
  "queueMicrotask and timers": leaking(
    ...["queueMicrotask", "setTimeout", "setImmediate"].map((key) => [globalThis, key]),
  ),
  "EventEmitter.prototype": leaking(...everyMethodOf(EventEmitter.prototype)),
  "streams' prototypes": leaking(...everyMethodOf(Readable.prototype, Writable.prototype)),
  "net.Socket.prototype": leaking(...everyMethodOf(net.Socket.prototype)),
  "AsyncLocalStorage.prototype.run": leaking(
    [require("node:async_hooks").AsyncLocalStorage.prototype, "run"],
    [require("node:async_hooks").AsyncResource.prototype, "runInAsyncScope"],
  ),
  "every method of every intrinsic": leaking(
    ...everyMethodOf(
      Reflect,
      Object,
      Function.prototype,
      Array,
      Array.prototype,
      Promise,
      Promise.prototype,
      Map.prototype,
      Set.prototype,
    ),
    ...everyMethodOf(
      WeakMap.prototype,
      WeakSet.prototype,
      RegExp.prototype,
      JSON,
      typed.prototype,
      generator,
      arrayIterator,
    ),
  ),
  "a question changed by MessagePort.prototype.postMessage": lying([MessagePort.prototype, "postMessage"]),
  "a question changed by JSON.stringify": lying([JSON, "stringify"]),
  "a question changed by Object.entries and fromEntries": lying([Object, "entries"], [Object, "fromEntries"]),
  "a question changed by Object.keys": lying([Object, "keys"], [Reflect, "ownKeys"]),
  "a question changed by Object.defineProperty": lying([Object, "defineProperty"]),
  "a question changed by Buffer.from": lying([Buffer, "from"], [Buffer, "concat"], [Buffer.prototype, "toString"]),
  "a question changed by latin1 writes": lying(
    [Buffer.prototype, "latin1Slice"],
    [Buffer.prototype, "utf8Slice"],
    [Buffer.prototype, "write"],
  ),
  "a question changed by strings' methods": lying(
    ...["slice", "split", "replace", "startsWith", "includes", "toString", "valueOf", "concat", "substring"].map(
      (key) => [String.prototype, key],
    ),
  ),
  "a question changed by arrays' methods": lying(
    ...["map", "push", "pop", "reverse", "join", "slice", "forEach", "flatMap"].map((key) => [Array.prototype, key]),
  ),
  "a question changed by TextEncoder": lying([TextEncoder.prototype, "encode"], [TextEncoder.prototype, "encodeInto"]),
  "a question changed by net.Socket.prototype.write": lying(
    [net.Socket.prototype, "write"],
    [Writable.prototype, "write"],
  ),
  "a question changed by structuredClone and String": lying([globalThis, "structuredClone"], [globalThis, "String"]),
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
