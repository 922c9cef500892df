// What the documents say is not caught. If one of these is blocked one day, its line there is too old.
"use strict";
const { execFileSync, spawn, spawnSync } = require("node:child_process");

const fs = require("node:fs");
const { join } = require("node:path");

const utf8 = { encoding: "utf8" };

exports.read = {
  "a link inside of a folder that is copied": ({ scratch }) => {
    fs.mkdirSync(join(scratch, "tree"));
    fs.renameSync(join(scratch, "to-secret"), join(scratch, "tree", "link"));
    fs.cpSync(join(scratch, "tree"), join(scratch, "loot"), { recursive: true, dereference: true });
    return "copied";
  },
  "an environment file of a child": ({ node, environment }) =>
    execFileSync(node, [`--env-file=${environment}`, "-e", "console.log(process.env.ESCAPE_SECRET)"], utf8),
  "a source map that names it": ({ node, file, scratch }) => {
    const map = { version: 3, sources: [`file://${file}`], names: [], mappings: "AAAA" };
    const text = Buffer.from(JSON.stringify(map)).toString("base64");
    const program = join(scratch, "a.cjs");
    fs.writeFileSync(program, `throw new Error("x");\n//# sourceMappingURL=data:application/json;base64,${text}`);
    return spawnSync(node, ["--enable-source-maps", program], utf8).stderr;
  },
  "what a program of one file is made of": ({ node, file, scratch }) => {
    const [settings, output] = [join(scratch, "sea.json"), join(scratch, "loot")];
    fs.writeFileSync(settings, JSON.stringify({ main: file, output }));
    return spawnSync(node, ["--experimental-sea-config", settings], utf8).stderr;
  },
  "a descriptor that another program hands over": ({ node, file }) =>
    execFileSync(
      "sh",
      ["-c", `exec 3< "$1"; exec "$0" -e 'console.log(require("fs").readFileSync(3, "utf8"))'`, node, file],
      utf8,
    ),
};

exports.reach = {
  "another program's connection": ({ port }) =>
    new Promise((resolve, reject) => {
      spawn("python3", ["-c", `import socket; socket.create_connection(("127.0.0.1", ${port}))`])
        .once("error", reject)
        .once("exit", resolve);
    }),
};

exports.limits = {
  "a link inside of a folder that is copied": "tree-walks",
  "an environment file of a child": "child-flags",
  "a source map that names it": "source-maps",
  "what a program of one file is made of": "child-flags",
  "a descriptor that another program hands over": "other-programs",
  "another program's connection": "other-programs",
};
