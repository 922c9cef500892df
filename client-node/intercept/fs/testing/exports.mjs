// Prints every member of fs and fs.promises of the Node that runs it.
import fs from "node:fs";

const of = (object, prefix) =>
  Object.getOwnPropertyNames(object)
    .filter((name) => object[name] !== undefined)
    .map((name) => `${prefix}${name}`);
console.log(JSON.stringify([...of(fs, "fs."), ...of(fs.promises, "fs.promises.")]));
