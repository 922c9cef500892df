// What the documents say is not caught. If one of these is blocked one day, its line there is too old.
"use strict";
const { execFileSync, spawn } = require("node:child_process");

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
  "a descriptor that another program hands over": "other-programs",
  "another program's connection": "other-programs",
};
