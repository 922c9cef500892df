// Opens files in every form, with every flag, in the folder it is run in, and prints one line of JSON: how each call ended, and
// what it left behind.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { Readable } from "node:stream";
import { promisify } from "node:util";

const outcomes = {};
const here = process.cwd();
const told = (text) =>
  typeof text === "string" ? text.replaceAll(here, ".").replaceAll(String(process.pid), "PID") : text;
const failed = (error) => ({
  ...{ name: error.name, code: error.code, errno: error.errno, syscall: error.syscall, path: told(error.path) },
  ...{ message: told(error.message), first: told(String(error.stack).split("\n")[0]), keys: Object.keys(error).sort() },
  cause: error.cause === undefined ? undefined : String(error.cause),
});

const old_s = 1_000_000_000;
const { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } =
  globalThis.unguarded;
const setUp = () => {
  for (const name of readdirSync("work")) if (name !== "folder") unlinkSync(`work/${name}`);
  writeFileSync("work/file", "some text", "utf8");
  writeFileSync("work/empty", "", "utf8");
  symlinkSync("file", "work/link");
  symlinkSync("made", "work/dangling");
  for (const name of ["file", "empty"]) utimesSync(`work/${name}`, old_s, old_s);
};
mkdirSync("work/folder", { recursive: true });
/** What is in the folder afterwards. */
const left = () =>
  readdirSync("work").map((name) => {
    const stats = lstatSync(`work/${name}`);
    if (!stats.isFile()) return name;
    const time = stats.mtimeMs === old_s * 1000 ? "old" : "new";
    return `${name} ${stats.mode.toString(8)} ${stats.size} ${time} ${readFileSync(`work/${name}`, "utf8")}`;
  });

const shown = async (value) => {
  if (typeof value === "number") {
    const { mode, size } = fs.fstatSync(value);
    let written;
    try {
      written = fs.writeSync(value, "W");
    } catch (error) {
      written = error.code;
    }
    fs.closeSync(value);
    return ["descriptor", mode, size, written];
  }
  if (typeof value?.close === "function") {
    const { size } = await value.stat();
    const written = await value.write("W").then(
      ({ bytesWritten }) => bytesWritten,
      (error) => error.code,
    );
    await value.close();
    return [value.constructor.name, size, written];
  }
  return Buffer.isBuffer(value) ? ["bytes", value.toString("latin1")] : (value ?? String(value));
};

const ends = async (label, call, isSetUp = true) => {
  if (isSetUp) setUp();
  try {
    outcomes[label] = { value: await shown(await call()) };
  } catch (error) {
    outcomes[label] = failed(error);
  }
  if (isSetUp) outcomes[label].left = left();
};

const forms = {
  callback: (name, ...args) => promisify(fs[name])(...args),
  promise: (name, ...args) => fs.promises[name](...args),
  sync: (name, ...args) => fs[`${name}Sync`](...args),
};
const every = async (label, name, ...args) => {
  for (const [form, call] of Object.entries(forms)) await ends(`${form} ${name} ${label}`, () => call(name, ...args));
};

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY, O_APPEND } = fs.constants;
const tmpfile = 0o20000000 | O_DIRECTORY;
const flags = [
  ...["r", "rs", "r+", "w", "wx", "w+", "wx+", "a", "ax", "as", "a+", "zz", undefined, null],
  ...[O_RDONLY | O_TRUNC, O_RDWR | O_TRUNC, O_WRONLY | O_CREAT | O_TRUNC | O_EXCL, O_WRONLY | O_TRUNC | O_APPEND],
  ...[O_NOFOLLOW, O_NOFOLLOW | O_TRUNC | O_WRONLY, O_DIRECTORY, O_WRONLY | tmpfile, 0o10000000, 1.5, 2 ** 40],
];
const targets = [
  "work/file",
  "work/empty",
  "work/made",
  "work/link",
  "work/dangling",
  "work/folder",
  "none/x",
  "work/file/x",
];
for (const flag of flags) {
  for (const target of targets) {
    await every(`${target} ${flag}`, "open", target, flag);
    await ends(`write stream ${target} ${flag}`, () => streamed(fs.createWriteStream(target, { flags: flag })));
  }
  for (const target of ["work/file", "work/made", "work/folder"]) {
    await every(`${target} ${flag}`, "writeFile", target, "data", { flag });
    await every(`bytes ${target} ${flag}`, "writeFile", target, Buffer.from("data"), { flag, mode: 0o600 });
    await every(`${target} ${flag}`, "appendFile", target, "data", { flag });
    await every(`${target} ${flag}`, "readFile", target, { flag });
    await every(`text ${target} ${flag}`, "readFile", target, { flag, encoding: "utf8" });
  }
}
for (const target of targets) {
  for (const length of [undefined, 0, 4, 100, -1]) await every(`${target} ${length}`, "truncate", target, length);
  for (const encoding of ["utf8", "latin1", "hex", "no", null])
    await every(`${target} ${encoding}`, "readFile", target, encoding);
  for (const options of [
    { flush: true },
    { flush: 5 },
    { mode: 0o640 },
    { mode: "644" },
    { mode: "zz" },
    { encoding: "hex" },
  ]) {
    await every(`${target} ${JSON.stringify(options)}`, "writeFile", target, "abcd", options);
    await every(`${target} ${JSON.stringify(options)}`, "appendFile", target, "abcd", options);
  }
  for (const data of [5, null, {}, "", new Uint16Array([1, 2]), new DataView(new ArrayBuffer(3))]) {
    await every(`${target} ${typeof data} ${data?.constructor.name}`, "writeFile", target, data);
  }
  await ends(`read stream ${target}`, () => streamed(fs.createReadStream(target)));
  await ends(`an iterable ${target}`, () => fs.promises.writeFile(target, Readable.from(["a", "b"])));
  await ends(`an iterable, flushed ${target}`, () => fs.promises.writeFile(target, ["a", "b"], { flush: true }));
  await ends(`blob ${target}`, async () => (await fs.openAsBlob(target)).text());
}

// Signals: aborted before, and while it runs.
const large = Buffer.alloc(8 << 20, 1);
for (const when of ["before", "after"]) {
  const signal = () => {
    const controller = new AbortController();
    const abort = () => controller.abort(new Error("the reason"));
    if (when === "before") abort();
    else setImmediate(abort);
    return { signal: controller.signal };
  };
  for (const form of ["callback", "promise"]) {
    await ends(`${form} readFile aborted ${when}`, () =>
      forms[form]("readFile", "work/file", signal()).then(() => "done"),
    );
    if (when === "after") continue;
    await ends(`${form} readFile missing aborted`, () => forms[form]("readFile", "missing", signal()));
    await ends(`${form} writeFile aborted`, () => forms[form]("writeFile", "work/file", large, signal()));
  }
}

// What is no ordinary file.
await every("/dev/null", "writeFile", "/dev/null", "x");
await every("/dev/full", "writeFile", "/dev/full", "x");
await every("/dev/full bytes", "writeFile", "/dev/full", Buffer.from("x"));
await every("/dev/full", "appendFile", "/dev/full", "x");
await every("/dev/zero", "truncate", "/dev/zero", 1);
await every("/proc/self/status", "open", "/proc/self/status", "r");
await every("/proc", "readFile", "/proc/version");
for (const [form, call] of Object.entries(forms)) {
  await ends(`${form} a link of /proc`, async () => {
    const fd = fs.openSync("work/file", "r");
    try {
      return await call("readFile", `/proc/self/fd/${fd}`, "utf8");
    } finally {
      fs.closeSync(fd);
    }
  });
  await ends(`${form} a file that is gone, by its link of /proc`, async () => {
    const fd = fs.openSync("work/file", "r+");
    fs.unlinkSync("work/file");
    try {
      await call("writeFile", `/proc/self/fd/${fd}`, "new text");
      return fs.readFileSync(fd, "utf8");
    } finally {
      fs.closeSync(fd);
    }
  });
}
await ends("a pipe", async () => {
  execFileSync("mkfifo", ["work/pipe"]);
  const [text] = await Promise.all([
    fs.promises.readFile("work/pipe", "utf8"),
    fs.promises.writeFile("work/pipe", "piped"),
  ]);
  return text;
});
await ends("standard input, a pipe", async () => {
  const program = `const fs = require("fs"); process.stdout.write(fs.readFileSync("/dev/stdin", "utf8") + fs.readFileSync(0, "utf8"));`;
  const piped = ["-c", 'printf given | "$@"', "sh", process.execPath, ...process.execArgv, "-e", program];
  return execFileSync("sh", piped, { encoding: "utf8", stdio: "pipe" });
});
await ends("a program that runs", async () => {
  fs.copyFileSync("/bin/sleep", "work/sleep");
  const child = spawn("work/sleep", ["5"]);
  await once(child, "spawn");
  try {
    fs.openSync("work/sleep", "w");
  } finally {
    child.kill();
    await once(child, "exit");
    fs.rmSync("work/sleep");
  }
});

function streamed(stream) {
  return new Promise((resolve, reject) => {
    let text = "";
    stream.on("error", reject).on("close", () => resolve(text));
    if (stream instanceof fs.ReadStream)
      stream.on("data", (part) => {
        text += part;
      });
    else stream.end("streamed");
  });
}
console.log(JSON.stringify(outcomes));
