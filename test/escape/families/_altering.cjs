// How the attacks on intrinsics alter them: to catch an original function, or to say another path.
"use strict";
const fs = require("node:fs");

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

module.exports = { altered, isRead, leaking, lying };
