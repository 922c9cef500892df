// Every way to start a program.
import child_process, {
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
} from "node:child_process";
import cluster from "node:cluster";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { called, outputOf } from "./_help.mjs";

const utf8 = { encoding: "utf8" };
const piped = ["ignore", "pipe", "pipe"];

/** What `spawnSync` and its kin answer: their errors are in the answer. */
const ended = ({ stdout, stderr, error }) => {
  if (error) throw error;
  return `${stdout} ${stderr}`;
};

export const run = {
  exec: () => called((done) => exec("id", done)),
  "exec, promisified": async () => (await promisify(exec)("id")).stdout,
  "exec of a longer line": () => called((done) => exec("true && (id; true)", done)),
  "exec with another shell": () => called((done) => exec("id", { shell: "/bin/bash" }, done)),
  "exec in backquotes": () => called((done) => exec("echo `id`", done)),
  "exec with a variable assigned": () => called((done) => exec("A=1 id", done)),
  "exec with quotes inside the name": () => called((done) => exec(`i''"d"`, done)),
  "exec by another program": () => called((done) => exec("env id", done)),
  "exec with a here-document for a shell": () => called((done) => exec("sh <<X\nid\nX", done)),
  "exec of a name that a shell makes up": () => called((done) => exec("$(printf 'i%s' d)", done)),
  execFile: ({ id }) => called((done) => execFile(id, done)),
  "execFile, promisified": async ({ id }) => (await promisify(execFile)(id)).stdout,
  "execFile in a shell": () => called((done) => execFile("id", { shell: true }, done)),
  "execFile of a shell": () => called((done) => execFile("sh", ["-c", "id"], done)),
  execSync: () => execSync("id", utf8),
  execFileSync: ({ id }) => execFileSync(id, [], utf8),
  "execFileSync by the PATH": () => execFileSync("id", utf8),
  spawnSync: ({ id }) => ended(spawnSync(id, [], utf8)),
  "spawnSync in a shell": () => ended(spawnSync("id", { ...utf8, shell: true })),
  "spawnSync with input for a shell": () => ended(spawnSync("sh", [], { ...utf8, input: "id\n" })),
  spawn: ({ id }) => outputOf(spawn(id, [], { stdio: piped })),
  "spawn in a shell": () => outputOf(spawn("id", { shell: true, stdio: piped })),
  "spawn with output of its own": ({ id }) =>
    new Promise((resolve, reject) => {
      spawn(id, { stdio: "inherit" })
        .once("error", reject)
        .once("exit", () => resolve("see above"));
    }),
  "spawn by a path with dot segments": () => outputOf(spawn("/usr/lib/../bin/./id", { stdio: piped })),
  "spawn by a relative path": () => outputOf(spawn("./id", { cwd: "/usr/bin", stdio: piped })),
  "spawn under another name": ({ id }) => outputOf(spawn(id, { argv0: "harmless", stdio: piped })),
  "spawn by /proc/self/root": ({ id }) => outputOf(spawn(`/proc/self/root${id}`, { stdio: piped })),
  "spawn by env": () => outputOf(spawn("env", ["id"], { stdio: piped })),
  "spawn by xargs": () => outputOf(spawn("sh", ["-c", "echo | xargs -n1 id"], { stdio: piped })),
  "spawn by the dynamic loader": ({ id }) =>
    outputOf(spawn("/bin/sh", ["-c", `exec /lib*/ld-linux-*.so.* ${id}`], { stdio: piped })),
  "spawn of an argument that changes as text": async ({ id }) => {
    let reads = 0;
    const changing = { toString: () => (++reads > 1 ? id : "true") };
    console.log(await outputOf(spawn("env", [changing], { stdio: piped })));
    return outputOf(spawn("env", [changing], { stdio: piped }));
  },
  "spawn of an argument list that changes": async ({ id }) => {
    let reads = 0;
    const args = new Proxy([id], { get: (target, key) => (key === "0" && ++reads === 1 ? "true" : target[key]) });
    console.log(await outputOf(spawn("env", args, { stdio: piped })));
    return outputOf(spawn("env", args, { stdio: piped }));
  },
  "spawn of an argument list with methods of its own": async ({ id }) => {
    const args = ["true"];
    args.map = args.slice = () => [id];
    args[Symbol.iterator] = function* () {
      yield id;
    };
    console.log(await outputOf(spawn("env", args, { stdio: piped })));
    return execFileSync("env", args.slice(), utf8);
  },
  "spawn of inherited options": () =>
    outputOf(spawn("id", Object.create({ shell: true, stdio: piped }))).catch((error) => ended({ error })),
  "fork with another program": () =>
    outputOf(fork("-u", { execPath: "id", execArgv: [], silent: true })).then(() =>
      outputOf(fork("root", { execPath: "id", execArgv: [], silent: true })),
    ),
  "fork with the process's own execPath changed": ({ id }) => {
    process.execPath = id;
    return outputOf(fork("root", [], { execArgv: [], silent: true }));
  },
  "fork with flags for a shell": () =>
    outputOf(fork("x", { execPath: "/bin/sh", execArgv: ["-c", "id"], silent: true })),
  "ChildProcess.prototype.spawn": ({ id }) => {
    const child = new ChildProcess();
    child.spawn({ file: id, args: ["x"], stdio: "pipe" });
    return outputOf(child);
  },
  "ChildProcess.prototype.spawn under another name": ({ id }) => {
    const child = new ChildProcess();
    ChildProcess.prototype.spawn.call(child, { file: id, args: ["x"], envPairs: [], stdio: "pipe" });
    return outputOf(child);
  },
  "the constructor of a child": ({ id }) => {
    const child = new (spawn("true").constructor)();
    child.spawn({ file: id, args: ["x"], stdio: "pipe" });
    return outputOf(child);
  },
  "the handle of a child": async ({ id, scratch }) => {
    const { _handle } = new ChildProcess();
    const out = join(scratch, "loot");
    writeFileSync(out, "");
    const { openSync } = await import("node:fs");
    const fds = [{ type: "ignore" }, { type: "fd", fd: openSync(out, "w") }, { type: "ignore" }];
    const options = { file: id, args: ["x"], stdio: fds };
    const code = _handle.spawn.length > 1 ? _handle.spawn(id, ["x"], "", [], fds, 0) : _handle.spawn(options);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return String(code);
  },
  "the class of a child's handle": async ({ id, scratch }) => {
    const Process = new ChildProcess()._handle.constructor;
    const { openSync } = await import("node:fs");
    const fds = [{ type: "ignore" }, { type: "fd", fd: openSync(join(scratch, "loot"), "w") }, { type: "ignore" }];
    const handle = new Process();
    handle.onexit = () => undefined;
    handle.spawn({ file: id, args: ["x"], stdio: fds });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "started";
  },
  "cluster.fork with another program": ({ id }) => {
    process.execPath = id;
    cluster.setupPrimary({ exec: "root", execArgv: [], silent: true });
    const worker = cluster.fork();
    worker.on("error", () => undefined);
    return outputOf(worker.process);
  },
  "cluster.fork whose workers start it": async ({ scratch }) => {
    const program = join(scratch, "worker.cjs");
    writeFileSync(program, `console.log(require("child_process").execSync("i" + "d").toString()); process.exit();`);
    cluster.setupPrimary({ exec: program, silent: true });
    return outputOf(cluster.fork().process);
  },
  "process.execve": ({ id }) => process.execve(id, ["id"], {}),
  "a link to the program": ({ idLink }) => execFileSync(idLink, utf8),
  "a link to the program, by the PATH": ({ scratch, id }) => {
    symlinkSync(id, join(scratch, "harmless"));
    return execFileSync("harmless", { ...utf8, env: { PATH: scratch } });
  },
  "a copy of the program": async ({ scratch, id }) => {
    const { copyFileSync } = await import("node:fs");
    copyFileSync(id, join(scratch, "harmless"));
    return execFileSync(join(scratch, "harmless"), utf8);
  },
  "a script file for a shell": ({ scratch }) => {
    writeFileSync(join(scratch, "script"), "id\n");
    return execFileSync("sh", [join(scratch, "script")], utf8);
  },
  "a program for another interpreter": () => execFileSync("python3", ["-c", "import os; os.system('i' + 'd')"], utf8),
  "the default export, changed back": ({ id }) => {
    const { execFileSync: run } = { ...child_process };
    return run(id, utf8);
  },
};

export const read = {
  "a program that reads": ({ file }) => execFileSync("cat", [file], utf8),
};

export const reach = {
  "a program that connects": ({ port }) => execFileSync("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`], utf8),
};

export const limits = {
  "exec of a name that a shell makes up": "other-programs",
  "spawnSync with input for a shell": "other-programs",
  "a link to the program": "program-name",
  "a link to the program, by the PATH": "program-name",
  "a copy of the program": "program-name",
  "a script file for a shell": "other-programs",
  "a program for another interpreter": "other-programs",
  "a program that reads": "other-programs",
  "a program that connects": "other-programs",
};
