// Worker threads that are to run without the guard, or with another daemon's.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  getEnvironmentData,
  MessageChannel,
  moveMessagePortToContext,
  SHARE_ENV,
  setEnvironmentData,
  Worker,
} from "node:worker_threads";
import { messageOf, textOf } from "./_help.mjs";

const saying = (file) =>
  `require("worker_threads").parentPort.postMessage(require("fs").readFileSync(${JSON.stringify(file)}, "utf8"));`;
const inModule = (file) =>
  `import { readFileSync } from "node:fs"; import { parentPort } from "node:worker_threads"; parentPort.postMessage(readFileSync(${JSON.stringify(file)}, "utf8"));`;

const said = (code, options) => messageOf(new Worker(code, { eval: true, ...options }));
const programIn = (scratch, name, text) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};
const fakeSettings = (socketPath) => ({
  socketPath,
  principal: null,
  timeout: 5,
  token: null,
  enforcement: "blocking",
  groups: { fs: false, exec: false, http: false, net: false },
});
const thief = `globalThis.taken = require("fs").readFileSync;`;
const usingTaken = (file) =>
  `require("worker_threads").parentPort.postMessage((globalThis.taken ?? require("fs").readFileSync)(${JSON.stringify(file)}, "utf8"));`;

export const read = {
  "a thread": ({ file }) => said(saying(file)),
  "a thread from a file": ({ file, scratch }) => messageOf(new Worker(programIn(scratch, "w.cjs", saying(file)))),
  "a thread from a module": ({ file, scratch }) =>
    messageOf(new Worker(pathToFileURL(programIn(scratch, "w.mjs", inModule(file))))),
  "a thread from a data: URL": ({ file }) =>
    messageOf(new Worker(new URL(`data:text/javascript,${encodeURIComponent(inModule(file))}`))),
  "a thread without flags": ({ file }) => said(saying(file), { execArgv: [] }),
  "a thread with NODE_OPTIONS behind another process.env": ({ file, scratch }) => {
    process.env.NODE_OPTIONS = `--require ${programIn(scratch, "t.cjs", thief)}`;
    process.env = {};
    return said(usingTaken(file));
  },
  "a thread that shares NODE_OPTIONS behind another process.env": ({ file, scratch }) => {
    process.env.NODE_OPTIONS = `--require ${programIn(scratch, "t.cjs", thief)}`;
    process.env = {};
    return said(usingTaken(file), { env: SHARE_ENV });
  },
  "a thread without environment": ({ file }) => said(saying(file), { env: {}, execArgv: [] }),
  "a thread that shares the environment": ({ file, fakeSocket }) => {
    process.env.INTERLOCK_SOCKET = fakeSocket;
    return said(saying(file), { env: SHARE_ENV });
  },
  "a thread with another socket in its env": ({ file, fakeSocket }) =>
    said(saying(file), { env: { INTERLOCK_SOCKET: fakeSocket } }),
  "a thread with NODE_OPTIONS of its own": ({ file, scratch }) =>
    said(usingTaken(file), { env: { NODE_OPTIONS: `--require ${programIn(scratch, "t.cjs", thief)}` }, execArgv: [] }),
  "a thread with a --require of its own": ({ file, scratch }) =>
    said(usingTaken(file), { execArgv: ["--require", programIn(scratch, "t.cjs", thief)] }),
  "a thread with an --import of its own": ({ file, scratch }) =>
    said(usingTaken(file), {
      execArgv: ["--import", programIn(scratch, "t.mjs", `import fs from "fs"; globalThis.taken = fs.readFileSync;`)],
    }),
  "a thread whose flags change when they are read again": ({ file, requireHook }) => {
    let reads = 0;
    const execArgv = new Proxy(["--require", requireHook], {
      get: (target, key) => (key === "1" && ++reads > 1 ? "/dev/null" : target[key]),
    });
    return said(saying(file), { execArgv });
  },
  "a thread whose options change when they are read again": ({ file, fakeSocket }) => {
    let reads = 0;
    const options = {
      eval: true,
      get execArgv() {
        return ++reads > 1 ? [] : ["--no-warnings"];
      },
      get env() {
        return { INTERLOCK_SOCKET: fakeSocket };
      },
    };
    return messageOf(new Worker(saying(file), options));
  },
  "a thread with inherited options": ({ file }) =>
    messageOf(new Worker(saying(file), Object.create({ eval: true, execArgv: [], env: {} }))),
  "a thread after process.execArgv is changed": ({ file }) => {
    process.execArgv.length = 0;
    return said(saying(file), { env: {} });
  },
  "a thread of a subclass": ({ file }) => messageOf(new (class extends Worker {})(saying(file), { eval: true })),
  "a thread of a thread's constructor": ({ file }) =>
    messageOf(new new Worker("", { eval: true }).constructor(saying(file), { eval: true, execArgv: [] })),
  "a thread by Reflect.construct": ({ file }) =>
    messageOf(Reflect.construct(Worker, [saying(file), { eval: true }], new Worker("", { eval: true }).constructor)),
  "a thread of the parent class": ({ file }) => {
    const Parent = Object.getPrototypeOf(class extends Worker {});
    return messageOf(new Parent(saying(file), { eval: true, execArgv: [] }));
  },
  "a thread of a thread": ({ file }) =>
    said(`const { Worker, parentPort } = require("worker_threads");
      new Worker(${JSON.stringify(saying(file))}, { eval: true, env: {}, execArgv: [] })
        .once("message", (text) => parentPort.postMessage(text)).once("error", (error) => { throw error; });`),
  "the guard's settings overwritten": ({ file, fakeSocket }) => {
    setEnvironmentData("interlock.guard", fakeSettings(fakeSocket));
    return said(saying(file), { env: {} });
  },
  "the guard's settings taken away": ({ file, fakeSocket }) => {
    setEnvironmentData("interlock.guard", undefined);
    return said(saying(file), { env: { INTERLOCK_SOCKET: fakeSocket } });
  },
  "the guard's settings altered in place": ({ file, fakeSocket }) => {
    Object.assign(getEnvironmentData("interlock.guard") ?? {}, fakeSettings(fakeSocket));
    return said(saying(file));
  },
  "the guard's settings overwritten while the thread is made": ({ file, fakeSocket }) => {
    const options = {
      eval: true,
      get env() {
        setEnvironmentData("interlock.guard", fakeSettings(fakeSocket));
        return {};
      },
      workerData: {
        get x() {
          setEnvironmentData("interlock.guard", fakeSettings(fakeSocket));
          return 1;
        },
      },
    };
    return messageOf(new Worker(saying(file), options));
  },
  "the guard's settings under a getter of every object": ({ file, fakeSocket }) => {
    const { groups } = fakeSettings(fakeSocket);
    Object.defineProperty(Object.prototype, "socketPath", {
      get: () => fakeSocket,
      set: () => undefined,
      configurable: true,
    });
    Object.defineProperty(Object.prototype, "groups", { get: () => groups, set: () => undefined, configurable: true });
    return said(saying(file));
  },
  "a function sent as code": ({ file }) => said(`new Function("require", ${JSON.stringify(saying(file))})(require);`),
  "a port moved to another context": async ({ file }) => {
    const vm = await import("node:vm");
    const { port1, port2 } = new MessageChannel();
    const moved = moveMessagePortToContext(port1, vm.createContext());
    port2.on("message", () => undefined);
    const HostFunction = moved.postMessage.constructor;
    port2.close();
    return HostFunction(
      "process",
      "file",
      "return process.getBuiltinModule('fs').readFileSync(file, 'utf8')",
    )(process, file);
  },
  "what a thread writes to its output": async ({ file }) => {
    const worker = new Worker(`console.log(require("fs").readFileSync(${JSON.stringify(file)}, "utf8"))`, {
      eval: true,
      stdout: true,
      stderr: true,
    });
    worker.on("error", (error) => process.stdout.write(`${error.name}\n`));
    return textOf(worker.stdout);
  },
};

export const run = {
  "a thread that starts it": () =>
    said(`require("worker_threads").parentPort.postMessage(String(require("child_process").execSync("id")))`, {
      env: { PATH: process.env.PATH },
      execArgv: [],
    }),
};

export const reach = {
  "a thread that connects": ({ port }) =>
    said(
      `require("net").connect(${port}).on("error", (error) => { throw error; }).on("connect", () => require("worker_threads").parentPort.postMessage("connected"))`,
      { env: {}, execArgv: [] },
    ),
};
