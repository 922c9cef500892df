// Child Node processes that are to run without the guard, or with another daemon's.
"use strict";
const { execFileSync, execSync, fork, spawn, spawnSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

const utf8 = { encoding: "utf8" };
/** A program that reads the file, in a text without quotes of a shell. */
const reader = (file) => `console.log(require("fs").readFileSync(${JSON.stringify(file)},"utf8"))`;
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

const outputOf = (child) =>
  new Promise((resolve, reject) => {
    let text = "";
    child.once("error", reject);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    child.once("close", () => resolve(text));
  });

const ended = ({ stdout, stderr, error }) => {
  if (error) throw error;
  return `${stdout}${stderr}`;
};

const programIn = (scratch, name, text) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};

/** Takes what it needs before anything else can run. */
const thief = `globalThis.taken = require("fs").readFileSync;`;
const usingTaken = (file) =>
  `console.log((globalThis.taken ?? require("fs").readFileSync)(${JSON.stringify(file)}, "utf8"))`;

exports.read = {
  "a child": ({ node, file }) => execFileSync(node, ["-e", reader(file)], utf8),
  "a child without environment": ({ node, file }) => execFileSync(node, ["-e", reader(file)], { ...utf8, env: {} }),
  "a child with NODE_OPTIONS emptied": ({ node, file }) =>
    execFileSync(node, ["-e", reader(file)], { ...utf8, env: { NODE_OPTIONS: "" } }),
  "a child whose NODE_OPTIONS closes a quote": ({ node, file }) =>
    execFileSync(node, ["-e", reader(file)], { ...utf8, env: { NODE_OPTIONS: '"--title=x"' } }),
  "a child with NODE_OPTIONS under a name that ends in the sign": ({ node, file }) =>
    execFileSync(node, ["-e", reader(file)], { ...utf8, env: { "NODE_OPTIONS=": "x" } }),
  "a child with NODE_OPTIONS under a name that holds its value": ({ node, file }) =>
    ended(spawnSync(node, ["-e", reader(file)], { ...utf8, env: { "NODE_OPTIONS=--title": "x" } })),
  "a child with another socket under a name that holds it": ({ node, file, fakeSocket }) => {
    const at = fakeSocket.length - 1;
    const env = { [`INTERLOCK_SOCKET=${fakeSocket.slice(0, at)}`]: "", "NODE_OPTIONS=": "" };
    return outputOf(spawn(node, ["-e", reader(file)], { env }));
  },
  "a child of another login": ({ node, file, scratch }) =>
    execSync(`su - -c '${node} ${programIn(scratch, "a.cjs", reader(file))}'`, utf8),
  "a child whose environment setpriv resets": ({ node, file, scratch }) =>
    execFileSync("setpriv", ["--reset-env", node, programIn(scratch, "a.cjs", reader(file))], utf8),
  "a child after process.env is emptied": ({ node, file }) => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    return execFileSync(node, ["-e", reader(file)], utf8);
  },
  "a child after process.env is replaced": ({ node, file }) => {
    process.env = { PATH: "/bin" };
    return execFileSync(node, ["-e", reader(file)], utf8);
  },
  "a child of another daemon, by its env": ({ node, file, fakeSocket }) =>
    execFileSync(node, ["-e", reader(file)], { ...utf8, env: { ...process.env, INTERLOCK_SOCKET: fakeSocket } }),
  "a child of another daemon, by process.env": ({ node, file, fakeSocket }) => {
    process.env.INTERLOCK_SOCKET = fakeSocket;
    return execFileSync(node, ["-e", reader(file)], utf8);
  },
  "a child of another daemon, by a shell": ({ node, file, fakeSocket }) =>
    execSync(`INTERLOCK_SOCKET=${fakeSocket} ${node} -e ${quoted(reader(file))}`, utf8),
  "a child of another daemon, by env": ({ node, file, fakeSocket }) =>
    execFileSync("env", [`INTERLOCK_SOCKET=${fakeSocket}`, node, "-e", reader(file)], utf8),
  "a child with an inherited env": ({ node, file }) =>
    execFileSync(node, ["-e", reader(file)], { ...utf8, env: Object.create({ NODE_OPTIONS: "--no-warnings" }) }),
  "a child whose env changes when it is read again": ({ node, file }) => {
    let reads = 0;
    const env = {
      get NODE_OPTIONS() {
        return ++reads === 1 ? "" : "--no-warnings";
      },
    };
    return execFileSync(node, ["-e", reader(file)], { ...utf8, env });
  },
  "a child's child": ({ node, file }) =>
    execFileSync(
      node,
      [
        "-e",
        `console.log(String(require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(reader(file))}], { env: {} })))`,
      ],
      utf8,
    ),
  "a shell between": ({ node, file }) => execSync(`${node} -e ${quoted(reader(file))}`, { ...utf8, env: {} }),
  "a child in the background": ({ node, file, scratch }) =>
    execSync(`${node} -e ${quoted(reader(file))} > ${scratch}/loot 2>&1 & wait; cat ${scratch}/loot`, utf8),
  "env -i": ({ node, file }) => execFileSync("env", ["-i", node, "-e", reader(file)], utf8),
  "env -": ({ node, file }) => execFileSync("/usr/bin/env", ["-", node, "-e", reader(file)], utf8),
  "env --ignore-env": ({ node, file }) => execFileSync("env", ["--ignore-env", node, "-e", reader(file)], utf8),
  "env with a backslash in a shell": ({ node, file }) => execSync(`e\\nv -i ${node} -e ${quoted(reader(file))}`, utf8),
  "env -vi": ({ node, file }) => execFileSync("env", ["-vi", node, "-e", reader(file)], utf8),
  "env -S": ({ node, file, scratch }) =>
    execFileSync("env", ["-S", `-i ${node} ${programIn(scratch, "a.cjs", reader(file))}`], utf8),
  "env -u": ({ node, file }) => execFileSync("env", ["-u", "NODE_OPTIONS", node, "-e", reader(file)], utf8),
  "env by a shell": ({ node, file }) => execSync(`/usr/bin/env -i ${node} -e ${quoted(reader(file))}`, utf8),
  unset: ({ node, file }) => execSync(`unset NODE_OPTIONS; ${node} -e ${quoted(reader(file))}`, utf8),
  "an assignment in a shell": ({ node, file }) => execSync(`NODE_OPTIONS= ${node} -e ${quoted(reader(file))}`, utf8),
  "exec -c": ({ node, file }) => execFileSync("bash", ["-c", `exec -c ${node} -e ${quoted(reader(file))}`], utf8),
  "a name that a shell makes up": ({ node, file }) =>
    execFileSync("bash", ["-c", `unset \${!NODE_OPT*}; ${node} -e ${quoted(reader(file))}`], utf8),
  "a script that clears the environment": ({ node, file, scratch }) =>
    execFileSync("sh", [programIn(scratch, "s", `env -i ${node} -e ${quoted(reader(file))}`)], utf8),
  fork: ({ file, scratch }) => outputOf(fork(programIn(scratch, "a.cjs", reader(file)), { silent: true })),
  "fork without flags and environment": ({ file, scratch }) =>
    outputOf(fork(programIn(scratch, "a.cjs", reader(file)), { silent: true, execArgv: [], env: {} })),
  "fork of a Node by another name": ({ node, file, scratch }) => {
    require("node:fs").symlinkSync(node, join(scratch, "harmless"));
    const options = { silent: true, execPath: join(scratch, "harmless"), env: {}, execArgv: [] };
    return outputOf(fork(programIn(scratch, "a.cjs", reader(file)), options));
  },
  "a detached child": ({ node, file }) =>
    outputOf(spawn(node, ["-e", reader(file)], { detached: true, env: {}, stdio: ["ignore", "pipe", "pipe"] })),
  "a program on standard input": ({ node, file }) =>
    ended(spawnSync(node, ["-"], { ...utf8, env: {}, input: reader(file) })),
  "--require before the program": ({ node, file, scratch }) =>
    execFileSync(node, ["--require", programIn(scratch, "t.cjs", thief), "-e", usingTaken(file)], utf8),
  "--import before the program": ({ node, file, scratch }) => {
    const module = programIn(scratch, "t.mjs", `import fs from "node:fs"; globalThis.taken = fs.readFileSync;`);
    return execFileSync(node, ["--import", module, "-e", usingTaken(file)], utf8);
  },
  "--require in NODE_OPTIONS": ({ node, file, scratch }) =>
    execFileSync(node, ["-e", usingTaken(file)], {
      ...utf8,
      env: { NODE_OPTIONS: `--require ${programIn(scratch, "t.cjs", thief)}` },
    }),
  "--experimental-loader": ({ node, file, scratch }) => {
    const loader = programIn(
      scratch,
      "l.mjs",
      `import fs from "node:fs"; export const load = async (url, context, next) => {
      console.log(fs.readFileSync(${JSON.stringify(file)}, "utf8")); return next(url, context); };`,
    );
    return ended(spawnSync(node, ["--experimental-loader", loader, programIn(scratch, "m.mjs", "1")], utf8));
  },
  "module.register": async ({ file, scratch }) => {
    const loader = programIn(
      scratch,
      "l.mjs",
      `import fs from "node:fs"; import { writeSync } from "node:fs";
      export const initialize = () => { let text; try { text = fs.readFileSync(${JSON.stringify(file)}, "utf8"); } catch (error) { text = error.name; } writeSync(1, text); };`,
    );
    require("node:module").register(require("node:url").pathToFileURL(loader));
    await import(programIn(scratch, "m.mjs", "1"));
    return "loaded";
  },
  "a file of environment variables": ({ node, file, fakeSocket, scratch }) => {
    const settings = programIn(scratch, ".env", `NODE_OPTIONS=--no-warnings\nINTERLOCK_SOCKET=${fakeSocket}\n`);
    return execFileSync(node, [`--env-file=${settings}`, "-e", reader(file)], { ...utf8, env: {} });
  },
  "a configuration file in the folder": ({ node, file, scratch }) => {
    const taker = programIn(scratch, "t.cjs", thief);
    programIn(scratch, "node.config.json", JSON.stringify({ nodeOptions: { require: [taker] } }));
    return execFileSync(node, ["--experimental-default-config-file", "-e", usingTaken(file)], {
      ...utf8,
      cwd: scratch,
    });
  },
  "a configuration file by its name": ({ node, file, scratch }) => {
    const taker = programIn(scratch, "t.cjs", thief);
    const config = programIn(scratch, "c.json", JSON.stringify({ nodeOptions: { require: [taker] } }));
    return execFileSync(node, [`--experimental-config-file=${config}`, "-e", usingTaken(file)], utf8);
  },
  "--expose-internals": ({ node, file }) =>
    execFileSync(
      node,
      [
        "--expose-internals",
        "-e",
        `const { internalBinding } = require("internal/test/binding"); const fs = internalBinding("fs");
       const path = ${JSON.stringify(file)};
       let fd; try { fd = fs.open(path, 0, 0o666); } catch { fd = fs.open(path, 0, 0o666, undefined, {}); }
       const bytes = Buffer.alloc(4096); console.log(bytes.toString("utf8", 0, fs.read(fd, bytes, 0, 4096, -1)));`,
      ],
      utf8,
    ),
  "--expose_internals": ({ node, file }) => execFileSync(node, ["--expose_internals", "-e", reader(file)], utf8),
  "--build-snapshot": ({ node, file, scratch }) =>
    execFileSync(
      node,
      ["--snapshot-blob", join(scratch, "blob"), "--build-snapshot", programIn(scratch, "s.cjs", reader(file))],
      utf8,
    ),
  "--run": ({ node, file, scratch }) => {
    const program = programIn(scratch, "a.cjs", reader(file));
    programIn(scratch, "package.json", JSON.stringify({ scripts: { go: `${node} ${program}` } }));
    return execFileSync(node, ["--run", "go"], { ...utf8, cwd: scratch, env: {} });
  },
  "--test": ({ node, file, scratch }) => {
    const program = programIn(scratch, "a.test.cjs", reader(file));
    return ended(spawnSync(node, ["--test", program], { ...utf8, env: {} }));
  },
  "node:test's run": async ({ file, scratch }) => {
    const program = programIn(scratch, "a.test.cjs", reader(file));
    let text = "";
    const events = require("node:test").run({ files: [program] });
    for await (const { data } of events)
      text += `${data?.message ?? ""} ${data?.details?.error?.cause?.stack ?? data?.details?.error ?? ""}`;
    return text;
  },
  "a read-eval-print loop": ({ node, file }) =>
    ended(
      spawnSync(node, ["-i"], {
        ...utf8,
        env: {},
        input: `require("fs").readFileSync(${JSON.stringify(file)},"utf8")\n`,
      }),
    ),
  "a corepack-like wrapper": ({ node, file, scratch }) =>
    execFileSync("sh", ["-c", `exec "$0" "$@"`, node, programIn(scratch, "a.cjs", reader(file))], { ...utf8, env: {} }),
  "process.execve into a Node": ({ node, file }) => process.execve(node, [node, "-e", reader(file)], {}),
};

exports.run = {
  "a child that starts it": ({ node }) =>
    execFileSync(node, ["-e", `console.log(String(require("child_process").execSync("i" + "d")))`], {
      ...utf8,
      env: {},
    }),
};

exports.reach = {
  "a child that connects": ({ node, port }) =>
    execFileSync(
      node,
      [
        "-e",
        `require("net").connect(${port}).on("error", (error) => { throw error; }).on("connect", () => process.exit())`,
      ],
      { ...utf8, env: {}, stdio: "pipe" },
    ),
};

exports.limits = {
  "a name that a shell makes up": "other-programs",
  "a script that clears the environment": "other-programs",
};
