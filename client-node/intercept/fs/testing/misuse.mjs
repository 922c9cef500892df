// Misuses each function in the folder it is run in, and prints one line of JSON: what it said, and whether at once.
import fs from "node:fs";

const outcomes = {};
const failed = (when, error) =>
  `${when} ${error?.name} ${error?.code} ${String(error?.message).replaceAll(process.cwd(), ".")}`;
process.on("uncaughtException", (error) => {
  outcomes[`uncaught ${Object.keys(outcomes).length}`] = failed("uncaught", error);
});
class Foo {}
const odd = {
  undefined: undefined,
  null: null,
  true: true,
  object: {},
  instance: new Foo(),
  bare: Object.create(null),
  function: function named() {},
  symbol: Symbol("s"),
  text: new String("file"),
  NUL: "fi\0le",
  "bytes with NUL": Buffer.from("fi\0le"),
  "http URL": new URL("http://host/file"),
  "file URL with host": new URL("file:///a%2Fb"),
  number: 1e9,
  "not an integer": 1.5,
  empty: "",
};
const names = [
  "readFile",
  "writeFile",
  "appendFile",
  "unlink",
  "rm",
  "rmdir",
  "mkdir",
  "readdir",
  "stat",
  "lstat",
  "chmod",
];
names.push(
  "chown",
  "truncate",
  "access",
  "realpath",
  "readlink",
  "utimes",
  "lutimes",
  "lchown",
  "open",
  "opendir",
  "mkdtemp",
  "statfs",
  "exists",
);
const rest = {
  writeFile: ["x"],
  appendFile: ["x"],
  chmod: [0o600],
  chown: [0, 0],
  lchown: [0, 0],
  utimes: [1, 1],
  lutimes: [1, 1],
};
const badRest = {
  readFile: [["no-encoding"], [{ encoding: "no" }], [{ flag: "zz" }], [{ signal: {} }], [5]],
  writeFile: [[{}], ["x", "no-encoding"], ["x", { flag: "zz" }], ["x", { mode: "zz" }], [undefined]],
  appendFile: [[{}], ["x", { mode: "zz" }]],
  rm: [[{ recursive: 5 }], [5]],
  mkdir: [[{ recursive: 5 }], [{ mode: "zz" }], ["zz"]],
  readdir: [["no-encoding"], [{ recursive: 5 }]],
  chmod: [["zz"], [1.5], [undefined]],
  chown: [
    ["a", "b"],
    [-5, 0],
  ],
  truncate: [["a"], [1.5]],
  access: [["a"], [99]],
  utimes: [
    ["a", "b"],
    [{}, {}],
    [undefined, 1],
  ],
  open: [["zz"], ["r", "zz"]],
  opendir: [[{ bufferSize: -1 }], [{ encoding: "no" }]],
  mkdtemp: [["no-encoding"]],
  readlink: [["no-encoding"]],
  stat: [[5]],
  realpath: [["no-encoding"]],
};
const two = ["rename", "copyFile", "cp", "link", "symlink"];

const attempt = (label, call) =>
  new Promise((resolve) => {
    let isBack = false;
    const done = (text) => {
      outcomes[label] ??= `${isBack ? "later" : "at once"} ${text}`;
      resolve();
    };
    const timer = setTimeout(() => done("never"), 300);
    try {
      const answer = call((error, value) => {
        clearTimeout(timer);
        if (error instanceof Error) done(failed("called back", error));
        else done(`called back with ${typeof error} ${typeof value}`);
      });
      isBack = true;
      if (typeof answer?.then === "function") {
        answer.then(
          (value) => {
            clearTimeout(timer);
            value?.close?.().catch?.(() => {});
            done(`resolved ${typeof value}`);
          },
          (error) => {
            clearTimeout(timer);
            done(failed("rejected", error));
          },
        );
      } else if (!label.startsWith("callback")) {
        clearTimeout(timer);
        if (typeof answer === "number") fs.closeSync(answer);
        else answer?.closeSync?.();
        done(`answered ${typeof answer}`);
      }
    } catch (error) {
      clearTimeout(timer);
      done(failed("threw", error));
    }
  });

const every = async (name, what, args) => {
  const reset = () => fs.writeFileSync("file", "text");
  reset();
  await attempt(`callback ${name} ${what}`, (callback) => fs[name](...args, callback));
  reset();
  await attempt(`sync ${name} ${what}`, () => fs[`${name}Sync`](...args));
  reset();
  if (fs.promises[name]) await attempt(`promise ${name} ${what}`, () => fs.promises[name](...args));
};
for (const name of names) {
  for (const [what, path] of Object.entries(odd)) await every(name, what, [path, ...(rest[name] ?? [])]);
  for (const [at, args] of (badRest[name] ?? []).entries())
    await every(name, `arguments ${at}`, [name === "mkdir" ? "new" : "file", ...args]);
  if (name !== "exists") await attempt(`callback ${name} without`, () => fs[name]("file", ...(rest[name] ?? [])));
  await attempt(`callback ${name} not one`, () => fs[name]("file", ...(rest[name] ?? []), 5));
}
for (const name of two) {
  for (const [what, path] of Object.entries(odd)) {
    await every(name, `from ${what}`, [path, "elsewhere"]);
    if (name !== "symlink") await every(name, `to ${what}`, ["file", path]);
  }
}
for (const [what, path] of Object.entries(odd)) {
  const ended = (stream, callback) => void stream.on("error", callback).on("open", () => callback(null));
  await attempt(`callback createReadStream ${what}`, (callback) => ended(fs.createReadStream(path), callback));
  await attempt(`callback createWriteStream ${what}`, (callback) => ended(fs.createWriteStream(path), callback));
  await attempt(`watch ${what}`, () => fs.watch(path).close());
  await attempt(`watchFile ${what}`, () => fs.watchFile(path, { persistent: false }, () => {}) && "watched");
  await attempt(`openAsBlob ${what}`, () => fs.openAsBlob(path));
}
for (const options of [
  { encoding: "no" },
  { start: -1 },
  { start: 2, end: 1 },
  { fs: {} },
  { fd: "x" },
  { flags: "zz" },
  5,
]) {
  await attempt(
    `callback createReadStream ${JSON.stringify(options)}`,
    (callback) =>
      void fs
        .createReadStream("file", options)
        .on("error", callback)
        .on("open", () => callback(null)),
  );
}
process.stdout.write(`${JSON.stringify(outcomes)}\n`, () => process.exit(0));
