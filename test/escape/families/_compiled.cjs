// Compiled code that Node would run in the place of a file's text: a program can write it, and name its folder in a variable.
"use strict";
const { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const { compileFunction } = require("node:vm");
const { crc32 } = require("node:zlib");

const parameters = ["exports", "require", "module", "__filename", "__dirname"];
const at = { codeBytes: 4, cacheBytes: 8, codeHash: 12, cacheHash: 16, end: 20 };

/** The folder of a cache in which the guard's file is compiled to nothing. Where Node has no such cache: any folder. */
exports.poisoned = ({ scratch, requireHook }) => {
  const folder = join(scratch, "compiled");
  mkdirSync(folder);
  if (Module.enableCompileCache === undefined) return folder;
  Module.enableCompileCache(folder);
  const own = join(scratch, "own.cjs");
  writeFileSync(own, "exports.own = 1;");
  require(own);
  Module.flushCompileCache();
  const entry = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .find((path) => statSync(path).isFile());
  const text = readFileSync(requireHook);
  const nothing = "globalThis.isUnguarded = true;".padEnd(text.toString().length, " ");
  const { cachedData } = compileFunction(nothing, parameters, { filename: requireHook, produceCachedData: true });
  const head = readFileSync(entry).subarray(0, at.end);
  head.writeUInt32LE(text.length, at.codeBytes);
  head.writeUInt32LE(cachedData.length, at.cacheBytes);
  head.writeUInt32LE(crc32(text), at.codeHash);
  head.writeUInt32LE(crc32(cachedData), at.cacheHash);
  const key = crc32(requireHook, crc32(Buffer.from([0]))).toString(16);
  writeFileSync(join(entry, "..", key), Buffer.concat([head, cachedData]));
  return folder;
};
