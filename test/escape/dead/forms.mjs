// The ordinary forms of what is guarded: none of them may run once the daemon is dead. Each throws, rejects, or answers why it did not.
import child_process, { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import inspector from "node:inspector";
import module, { createRequire } from "node:module";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";

const require = createRequire(import.meta.url);
const { promises } = fs;

/** The error of an emitter that is one; what it does instead is its answer. */
const failing = (emitter) =>
  new Promise((resolve, reject) => {
    emitter.once("error", reject);
    for (const event of ["open", "connect", "spawn", "response", "message", "online"]) {
      emitter.once(event, () => resolve(`${event}: it ran`));
    }
  });
const called = (step) => new Promise((resolve, reject) => step((error) => (error ? reject(error) : resolve("it ran"))));
const ended = ({ error }) => {
  if (error) throw error;
  return "it ran";
};

/** What leaves a trace in the folder if it runs. */
const touch = ({ folder }) => ["-c", `touch ${join(folder, "trace")}`];
const trace = ({ folder }) => join(folder, "trace");
const local = "127.0.0.1";

export const now = {
  files: {
    readFileSync: ({ file }) => fs.readFileSync(file),
    writeFileSync: (at) => fs.writeFileSync(trace(at), "x"),
    appendFileSync: (at) => fs.appendFileSync(trace(at), "x"),
    openSync: (at) => fs.openSync(trace(at), "w"),
    mkdirSync: (at) => fs.mkdirSync(trace(at)),
    mkdtempSync: (at) => fs.mkdtempSync(trace(at)),
    copyFileSync: (at) => fs.copyFileSync(at.file, trace(at)),
    cpSync: (at) => fs.cpSync(at.file, trace(at)),
    linkSync: (at) => fs.linkSync(at.file, trace(at)),
    symlinkSync: (at) => fs.symlinkSync(at.file, trace(at)),
    renameSync: (at) => fs.renameSync(at.file, trace(at)),
    unlinkSync: ({ file }) => fs.unlinkSync(file),
    rmSync: ({ file }) => fs.rmSync(file),
    truncateSync: ({ file }) => fs.truncateSync(file),
    chmodSync: ({ file }) => fs.chmodSync(file, 0),
    statSync: ({ file }) => fs.statSync(file),
    readdirSync: ({ folder }) => fs.readdirSync(folder),
    opendirSync: ({ folder }) => fs.opendirSync(folder),
    realpathSync: ({ file }) => fs.realpathSync(file),
    accessSync: ({ file }) => fs.accessSync(file),
    existsSync: ({ file }) => (fs.existsSync(file) ? "it ran" : "BlockedError, which existsSync has no place for"),
    watch: ({ folder }) => fs.watch(folder),
    require: ({ module: path }) => require(path),
  },
  programs: {
    execSync: (at) => child_process.execSync(touch(at)[1]),
    execFileSync: (at) => child_process.execFileSync("sh", touch(at)),
    spawnSync: (at) => ended(child_process.spawnSync("sh", touch(at))),
    spawn: (at) => failing(child_process.spawn("sh", touch(at))),
    fork: ({ module: path }) => failing(child_process.fork(path)),
    "ChildProcess.prototype.spawn": (at) => new ChildProcess().spawn({ file: "sh", args: ["sh", ...touch(at)] }),
    "cluster.fork": ({ module: path }) => {
      cluster.setupPrimary({ exec: path });
      return failing(cluster.fork());
    },
    Worker: (at) =>
      failing(new Worker(`require("fs").writeFileSync(${JSON.stringify(trace(at))}, "x")`, { eval: true })),
    "process.kill": () => process.kill(process.pid, 0),
    "process.dlopen": ({ module: path }) => process.dlopen({ exports: {} }, path),
    "process.loadEnvFile": ({ file }) => process.loadEnvFile(file),
    "process.binding": () => process.binding("fs"),
    "module.register": ({ module: path }) => module.register(path),
    "inspector.open": () => inspector.open(0),
    "v8.setFlagsFromString": () => v8.setFlagsFromString("--allow-natives-syntax"),
    "v8.writeHeapSnapshot": (at) => v8.writeHeapSnapshot(trace(at)),
  },
  connections: {
    "net.connect": ({ port }) => failing(net.connect(port, local)),
    "tls.connect": ({ port }) => failing(tls.connect(port, local)),
    "http.get": ({ port }) => failing(http.get({ port, host: local })),
    "https.get": ({ port }) => failing(https.get({ port, host: local })),
    "http2.connect": ({ port }) => failing(http2.connect(`http://${local}:${port}`)),
    "an agent's socket": ({ port }) => failing(new http.Agent().createConnection({ port, host: local })),
    "a datagram": ({ port }) => called((done) => dgram.createSocket("udp4").unref().send("x", port, local, done)),
  },
};

export const later = {
  files: {
    readFile: ({ file }) => called((done) => fs.readFile(file, done)),
    writeFile: (at) => called((done) => fs.writeFile(trace(at), "x", done)),
    open: (at) => called((done) => fs.open(trace(at), "w", done)),
    exists: ({ file }) =>
      new Promise((resolve) =>
        fs.exists(file, (is) => resolve(is ? "it ran" : "BlockedError, which exists has no place for")),
      ),
    "promises.readFile": ({ file }) => promises.readFile(file),
    "promises.writeFile": (at) => promises.writeFile(trace(at), "x"),
    "promises.open": (at) => promises.open(trace(at), "w"),
    "promises.cp": (at) => promises.cp(at.file, trace(at)),
    "promises.rm": ({ file }) => promises.rm(file),
    "readFile, promisified": ({ file }) => promisify(fs.readFile)(file),
    openAsBlob: ({ file }) => fs.openAsBlob(file),
    createReadStream: ({ file }) => failing(fs.createReadStream(file)),
    createWriteStream: (at) => failing(fs.createWriteStream(trace(at))),
    import: ({ module: path }) => import(`${path}?again`),
  },
  programs: {
    exec: (at) => called((done) => child_process.exec(touch(at)[1], done)),
    execFile: (at) => called((done) => child_process.execFile("sh", touch(at), done)),
    "exec, promisified": (at) => promisify(child_process.exec)(touch(at)[1]),
  },
  connections: {
    fetch: ({ port }) => fetch(`http://${local}:${port}/`),
    "dns.lookup": () => called((done) => dns.lookup("localhost", done)),
    "dns.promises.lookup": () => dns.promises.lookup("localhost"),
    "dns.promises.resolve4": () => dns.promises.resolve4("localhost"),
    "net.connect by name": ({ port }) => failing(net.connect(port, "localhost")),
  },
};
