// A child or a thread that is to run compiled code of the program's in the place of the guard's file.
"use strict";
const { execFileSync, execSync, spawnSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { SHARE_ENV, Worker } = require("node:worker_threads");
const { poisoned } = require("./_compiled.cjs");

const utf8 = { encoding: "utf8" };
const reader = (file) => `console.log(require("fs").readFileSync(${JSON.stringify(file)},"utf8"))`;
const saying = (file) =>
  `require("worker_threads").parentPort.postMessage(require("fs").readFileSync(${JSON.stringify(file)}, "utf8"));`;
const messageOf = (worker) =>
  new Promise((resolve, reject) => {
    worker
      .once("message", resolve)
      .once("error", reject)
      .once("exit", () => resolve("nothing"));
  });
const variable = "NODE_COMPILE_CACHE";
const programIn = (scratch, name, text) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};
/** A module for a loader's thread, which says what it can read. */
const loaderIn = ({ file, scratch }) => {
  const path = programIn(
    scratch,
    "loader.mjs",
    `import { readFileSync, writeSync } from "node:fs"; let text; try { text = readFileSync(${JSON.stringify(file)}, "utf8"); } catch (error) { text = error.name; } writeSync(1, text);`,
  );
  return pathToFileURL(path).href;
};

exports.read = {
  "compiled code for a child": (stage) =>
    execFileSync(stage.node, ["-e", reader(stage.file)], { ...utf8, env: { [variable]: poisoned(stage) } }),
  "compiled code for a child, by process.env": (stage) => {
    process.env[variable] = poisoned(stage);
    return execFileSync(stage.node, ["-e", reader(stage.file)], utf8);
  },
  "compiled code for a child of a shell": (stage) => {
    const program = programIn(stage.scratch, "a.cjs", reader(stage.file));
    return execSync(`${variable}=${poisoned(stage)} ${stage.node} ${program}`, utf8);
  },
  "compiled code for a child, by a file of variables": (stage) => {
    const settings = programIn(stage.scratch, ".env", `${variable}=${poisoned(stage)}\n`);
    const { stdout, stderr } = spawnSync(stage.node, [`--env-file=${settings}`, "-e", reader(stage.file)], utf8);
    return stdout + stderr;
  },
  "compiled code for a thread": (stage) =>
    messageOf(new Worker(saying(stage.file), { eval: true, env: { [variable]: poisoned(stage) } })),
  "compiled code for a thread, by process.env": (stage) => {
    process.env[variable] = poisoned(stage);
    return messageOf(new Worker(saying(stage.file), { eval: true }));
  },
  "compiled code for a thread, by process.env behind another": (stage) => {
    process.env[variable] = poisoned(stage);
    process.env = {};
    return messageOf(new Worker(saying(stage.file), { eval: true }));
  },
  "compiled code for a thread that shares the environment, named later": (stage) => {
    const folder = poisoned(stage);
    const worker = new Worker(saying(stage.file), { eval: true, env: SHARE_ENV });
    process.env[variable] = folder;
    return messageOf(worker);
  },
  "compiled code for a loader's thread": async (stage) => {
    process.env[variable] = poisoned(stage);
    require("node:module").register(loaderIn(stage));
    await import(programIn(stage.scratch, "m.mjs", "1"));
    return "loaded";
  },
};
