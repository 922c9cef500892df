// Makes each call in each of its forms in the folder it is run in, and prints one line of JSON: what came of it.
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const outcomes = {};
const here = process.cwd();
const plain = (value) => {
  if (Buffer.isBuffer(value)) return value.toString();
  if (Array.isArray(value)) return value.map((item) => item?.name ?? item);
  if (typeof value === "number") return "a number";
  if (typeof value === "string") return value.replaceAll(here, ".").replace(/tmp-[A-Za-z0-9]{6}$/, "tmp-XXXXXX");
  if (typeof value === "object" && value !== null) return value.constructor?.name ?? "object";
  return value ?? null;
};
const failed = (error) => ({
  name: error.name,
  code: error.code,
  message: error.message.replaceAll(here, "."),
});

const close = async (value) => {
  if (typeof value === "number") return fs.closeSync(value);
  if (typeof value?.close === "function") await value.close();
};

/** How a call ends: by a value, by an error, and whether that came at once. */
const ends = async (call) => {
  try {
    const value = await call();
    return { value: plain(value), ...(await close(value)) };
  } catch (error) {
    return failed(error);
  }
};

const forms = {
  callback:
    (name) =>
    (...args) =>
      new Promise((resolve, reject) => {
        let isBack = false;
        const answer = fs[name](...args, (error, value) => {
          if (!isBack && globalThis.guard !== undefined) return reject(new Error("called back at once"));
          if (typeof error === "boolean") return resolve(error);
          if (error) reject(error);
          else resolve(value);
        });
        isBack = true;
        if (answer !== undefined) reject(new Error("answered something"));
      }),
  promise:
    (name) =>
    (...args) =>
      fs.promises[name](...args),
  promisified:
    (name) =>
    (...args) =>
      promisify(fs[name])(...args),
  sync:
    (name) =>
    (...args) =>
      fs[`${name}Sync`](...args),
};

const setUp = () => {
  fs.rmSync("work", { recursive: true, force: true });
  fs.rmSync("new-link", { force: true });
  fs.mkdirSync("work/tree/inner", { recursive: true });
  for (const file of ["work/file", "work/other", "work/tree/inner/leaf"]) fs.writeFileSync(file, "text");
  fs.symlinkSync("file", "work/link");
};

const calls = {
  readFile: [["F"], ["F", "utf8"], ["F", { encoding: "hex" }], ["missing"], ["work"]],
  writeFile: [
    ["F", "new"],
    ["F", Buffer.from("new"), { mode: 0o600 }],
    ["missing/x", "y"],
  ],
  appendFile: [
    ["F", "new"],
    ["F", Buffer.from("new")],
  ],
  unlink: [["F"], ["work"], ["missing"]],
  rm: [["F"], ["T", { recursive: true }], ["T"], ["missing"], ["missing", { force: true }]],
  rmdir: [["T/inner"], ["F"]],
  rename: [["F", "work/renamed"]],
  mkdir: [["F"], ["work/a/b", { recursive: true }], ["work/n"]],
  readdir: [["T"], ["T", { withFileTypes: true }], ["T", { recursive: true }], ["F"]],
  stat: [["F"], ["F", { bigint: true }], ["missing"]],
  lstat: [["F"], ["work/link"]],
  chmod: [
    ["F", 0o644],
    ["missing", 0o644],
  ],
  chown: [["F", process.getuid(), process.getgid()]],
  copyFile: [
    ["F", "work/copy"],
    ["F", "work/other", fs.constants.COPYFILE_EXCL],
  ],
  cp: [
    ["T", "work/copied", { recursive: true }],
    ["F", "work/cp", { filter: () => true }],
    ["T", "work/copied2"],
  ],
  symlink: [["F", "new-link"]],
  link: [["F", "work/hard"]],
  truncate: [["F", 1], ["F"]],
  access: [["F"], ["F", fs.constants.R_OK], ["missing"]],
  realpath: [["F"], ["work/link"], ["missing"]],
  readlink: [["work/link"], ["F"]],
  utimes: [
    ["F", 1, 2],
    ["F", new Date(1000), new Date(2000)],
  ],
  lutimes: [["F", 1, 2]],
  lchown: [["F", process.getuid(), process.getgid()]],
  open: [["F"], ["F", "r+"], ["missing", "r"], ["F", "wx"]],
  opendir: [["T"], ["F"]],
  mkdtemp: [["T/tmp-"]],
  statfs: [["F"]],
  exists: [["F"], ["missing"]],
  glob: [
    ["**/leaf", { cwd: "T" }],
    ["**/*", { cwd: "T", exclude: (name) => name === "none" }],
  ],
};

const file = process.argv[2] ?? "work/file";
const tree = process.argv[3] ?? "work/tree";
const filled = (args) =>
  args.map((arg) =>
    typeof arg === "string" ? arg.replace(/^F$/, file).replace(/^T\b/, tree) : arg?.cwd ? { ...arg, cwd: tree } : arg,
  );
/** Where a file is named, only the calls that use it. */
const isAsked = (args) =>
  process.argv[2] === undefined || args.some((arg) => arg === "F" || arg?.cwd || /^T\b/.test(arg));
const has = (form, name) =>
  typeof { callback: fs, promisified: fs, promise: fs.promises }[form]?.[name] === "function" ||
  (form === "sync" && typeof fs[`${name}Sync`] === "function");

for (const [name, argLists] of Object.entries(calls)) {
  for (const form of Object.keys(forms)) {
    if (!has(form, name)) continue;
    for (const [at, args] of argLists.entries()) {
      if (!isAsked(args)) continue;
      setUp();
      if (name === "glob" && form === "promise") {
        outcomes[`${form} ${name} ${at}`] = await ends(
          () => Array.fromAsync?.(fs.promises.glob(...filled(args))) ?? collect(fs.promises.glob(...filled(args))),
        );
      } else outcomes[`${form} ${name} ${at}`] = await ends(() => forms[form](name)(...filled(args)));
    }
  }
}
async function collect(source) {
  const all = [];
  for await (const value of source) all.push(value);
  return all;
}

const streamed = (stream) =>
  new Promise((resolve, reject) => {
    let text = "";
    stream.on("error", reject).on("close", () => resolve(text));
    if (stream instanceof fs.ReadStream)
      stream.on("data", (part) => {
        text += part;
      });
    else stream.end("streamed");
  });
const more = {
  "read stream": () => streamed(fs.createReadStream(file)),
  "read stream, encoding": () => streamed(fs.createReadStream(file, "utf8")),
  "read stream, range": () =>
    streamed(fs.createReadStream(file, { start: 1, end: 2, signal: new AbortController().signal })),
  "read stream, missing": () => streamed(fs.createReadStream("missing")),
  "read stream, class": () => streamed(new fs.ReadStream(file)),
  "read stream, alias": () => streamed(new fs.FileReadStream(file)),
  "read stream, misuse": () => streamed(fs.createReadStream(file, 5)),
  "write stream": () => streamed(fs.createWriteStream(file)),
  "write stream, appending": () => streamed(fs.createWriteStream(file, { flags: "a", flush: true })),
  "write stream, class": () => streamed(new fs.WriteStream(file)),
  blob: async () => (await fs.openAsBlob(file)).text(),
  watch: () => {
    const watcher = fs.watch(file);
    watcher.close();
    return watcher;
  },
  "watch missing": () => fs.watch("missing"),
  "watch promise": async () => {
    const ac = new AbortController();
    setTimeout(() => ac.abort(), 200);
    setTimeout(() => fs.promises.chmod("work/file", 0o640).catch(() => {}), 50);
    for await (const { eventType } of fs.promises.watch(file, { signal: ac.signal })) return eventType;
  },
  watchFile: () => {
    fs.watchFile(file, { interval: 10 }, () => {});
    fs.unwatchFile(file);
    return "watched";
  },
  "native realpath": () => promisify(fs.realpath.native)(file),
  "native realpath sync": () => fs.realpathSync.native(file),
  "file handle": async () => {
    const handle = await fs.promises.open(file);
    try {
      return `${await fs.promises.readFile(handle)}${await handle.readFile()}`;
    } finally {
      await handle.close();
    }
  },
  descriptor: () => {
    const fd = fs.openSync(file);
    try {
      return fs.readFileSync(fd, "utf8");
    } finally {
      fs.closeSync(fd);
    }
  },
  "a URL": () => fs.readFileSync(pathToFileURL(file), "utf8"),
  bytes: () => fs.promises.readFile(Buffer.from(file), "utf8"),
};
for (const [name, call] of Object.entries(more)) {
  if (process.argv[2] !== undefined && name.includes("mis")) continue;
  setUp();
  outcomes[name] = await ends(call);
}
await pause(0);
console.log(JSON.stringify(outcomes));
