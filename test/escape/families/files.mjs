// Every function that gives the bytes of a file.
import fs from "node:fs";
import { open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { callbackify, promisify } from "node:util";
import { called, messageOf, textOf } from "./_help.mjs";

const require = createRequire(import.meta.url);

const fromDescriptor = (descriptor) => {
  const bytes = Buffer.alloc(4096);
  return bytes.subarray(0, fs.readSync(descriptor, bytes)).toString();
};

export const read = {
  readFileSync: ({ file }) => fs.readFileSync(file, "utf8"),
  "readFile with a callback": ({ file }) => called((done) => fs.readFile(file, "utf8", done)),
  "promises.readFile": ({ file }) => fs.promises.readFile(file, "utf8"),
  "readFile, promisified": ({ file }) => promisify(fs.readFile)(file, "utf8"),
  "promises.readFile, made a callback again": ({ file }) => called((done) => callbackify(readFile)(file, "utf8", done)),
  "openSync and readSync": ({ file }) => fromDescriptor(fs.openSync(file)),
  "openSync with flags in numbers": ({ file }) => fromDescriptor(fs.openSync(file, fs.constants.O_RDONLY, 0)),
  "openSync to read and write": ({ secret }) => fromDescriptor(fs.openSync(secret, "r+")),
  "openSync to append and read": ({ secret }) => fromDescriptor(fs.openSync(secret, "a+")),
  "open with a callback, and readv": async ({ file }) => {
    const descriptor = await called((done) => fs.open(file, done));
    const bytes = Buffer.alloc(4096);
    fs.readvSync(descriptor, [bytes]);
    return bytes.toString();
  },
  "open, promisified": async ({ file }) => fromDescriptor(await promisify(fs.open)(file, "r")),
  "readFileSync of a descriptor": ({ file }) => fs.readFileSync(fs.openSync(file), "utf8"),
  "a FileHandle's readFile": async ({ file }) => (await open(file)).readFile("utf8"),
  "a FileHandle's read": async ({ file }) => {
    const { buffer } = await (await open(file)).read();
    return buffer.toString();
  },
  "a FileHandle's stream": async ({ file }) => textOf((await open(file)).createReadStream()),
  "a FileHandle's web stream": async ({ file }) => {
    const handle = await open(file);
    const parts = [];
    for await (const part of handle.readableWebStream()) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString();
  },
  "a FileHandle's lines": async ({ file }) => {
    let all = "";
    for await (const line of (await open(file)).readLines()) all += line;
    return all;
  },
  "a FileHandle given to promises.readFile": async ({ file }) => readFile(await open(file), "utf8"),
  "a FileHandle sent to a thread": async ({ file }) => {
    const { Worker } = await import("node:worker_threads");
    const handle = await open(file);
    const code = `const { parentPort } = require("worker_threads");
      parentPort.once("message", async (handle) => parentPort.postMessage(await handle.readFile("utf8")));`;
    const worker = new Worker(code, { eval: true });
    worker.postMessage(handle, [handle]);
    return messageOf(worker);
  },
  createReadStream: ({ file }) => textOf(fs.createReadStream(file)),
  "createReadStream with an encoding in place of options": ({ file }) => textOf(fs.createReadStream(file, "utf8")),
  "createReadStream over a descriptor": ({ file }) => textOf(fs.createReadStream("", { fd: fs.openSync(file) })),
  "createReadStream over an fs of its own": ({ file }) =>
    textOf(fs.createReadStream(file, { fs: { open: fs.open, read: fs.read, close: fs.close } })),
  "new fs.ReadStream": ({ file }) => textOf(new fs.ReadStream(file)),
  "fs.ReadStream without new": ({ file }) => textOf(fs.ReadStream(file)),
  "fs.FileReadStream": ({ file }) => textOf(new fs.FileReadStream(file)),
  "a subclass of fs.ReadStream": ({ file }) => textOf(new (class extends fs.ReadStream {})(file)),
  "the stream's constructor": ({ file }) => textOf(new (fs.createReadStream("/dev/null").constructor)(file)),
  "fs.ReadStream.prototype.open": ({ file }) => {
    const stream = Object.create(fs.ReadStream.prototype);
    fs.ReadStream.call(stream, file);
    return textOf(stream);
  },
  "a stream whose path changes before it opens": async ({ file }) => {
    const stream = fs.createReadStream("/dev/null");
    stream.path = file;
    console.log(await textOf(stream));
    return textOf(fs.createReadStream(Buffer.from(file)));
  },
  "a pipeline into a file": async ({ file, scratch }) => {
    await pipeline(fs.createReadStream(file), fs.createWriteStream(join(scratch, "loot")));
    return "written";
  },
  "promises.writeFile from a stream": async ({ file, scratch }) => {
    await fs.promises.writeFile(join(scratch, "loot"), fs.createReadStream(file));
    return "written";
  },
  readline: async ({ file }) => {
    let all = "";
    for await (const line of createInterface({ input: fs.createReadStream(file) })) all += line;
    return all;
  },
  openAsBlob: async ({ file }) => (await fs.openAsBlob(file)).text(),
  "a slice of a blob": async ({ file }) => (await fs.openAsBlob(file)).slice(0, 4096).text(),
  copyFile: async ({ file, scratch }) => called((done) => fs.copyFile(file, join(scratch, "loot"), done)),
  "promises.copyFile by cloning": ({ file, scratch }) =>
    fs.promises.copyFile(file, join(scratch, "loot"), fs.constants.COPYFILE_FICLONE),
  cp: ({ file, scratch }) => called((done) => fs.cp(file, join(scratch, "loot"), done)),
  "cp with a filter": ({ file, scratch }) => fs.promises.cp(file, join(scratch, "loot"), { filter: () => true }),
  "read options with getters": ({ file }) =>
    fs.readFileSync(file, {
      get encoding() {
        return "utf8";
      },
      get flag() {
        return "r";
      },
    }),
  "process.loadEnvFile": ({ environment }) => {
    process.loadEnvFile(environment);
    return process.env.ESCAPE_SECRET;
  },
  "process.loadEnvFile by a link": ({ environmentLink }) => {
    process.loadEnvFile(environmentLink);
    return process.env.ESCAPE_SECRET;
  },
  "process.loadEnvFile of a descriptor's name": ({ environment }) => {
    process.loadEnvFile(`/proc/self/root${environment}`);
    return process.env.ESCAPE_SECRET;
  },
  "require of a JSON file": ({ secret }) => JSON.stringify(require(secret)),
  "require of a JSON file by a link": ({ secretLink }) => JSON.stringify(require(secretLink)),
  "the error of a required file": ({ environment }) => require(environment),
  "the error of a required file by a link": ({ passwordsLink }) => require(passwordsLink),
  "require.extensions": ({ file }) => {
    let text = "";
    require.extensions[".js"]({ _compile: (source) => (text = source), filename: file, paths: [] }, file);
    return text;
  },
  "require.extensions for JSON": ({ secret }) => {
    const module = { exports: null };
    require.extensions[".json"](module, secret);
    return JSON.stringify(module.exports);
  },
  "Module.prototype.load": ({ secret }) => {
    const module = new (require("node:module").Module)(secret);
    module.load(secret);
    return JSON.stringify(module.exports);
  },
  "import of a JSON module": async ({ secret }) =>
    JSON.stringify((await import(secret, { with: { type: "json" } })).default),
  "import of a JSON module by a link": async ({ secretLink }) =>
    JSON.stringify((await import(secretLink, { with: { type: "json" } })).default),
  "import of a file without an extension": () => import("/etc/passwd"),
  "node:sqlite": async ({ database }) => {
    const { DatabaseSync } = await import("node:sqlite");
    return new DatabaseSync(database).prepare("select secret from t").get().secret;
  },
  "node:sqlite by a link": async ({ databaseLink }) => {
    const { DatabaseSync } = await import("node:sqlite");
    return new DatabaseSync(databaseLink, { readOnly: true }).prepare("select secret from t").get().secret;
  },
  "node:sqlite, opened later": async ({ database }) => {
    const { DatabaseSync } = await import("node:sqlite");
    const later = new DatabaseSync(database, { open: false });
    later.open();
    return later.prepare("select secret from t").get().secret;
  },
  "node:sqlite, attached": async ({ database }) => {
    const { DatabaseSync } = await import("node:sqlite");
    const memory = new DatabaseSync(":memory:");
    memory.exec(`attach database '${database}' as other`);
    return memory.prepare("select secret from other.t").get().secret;
  },
};
