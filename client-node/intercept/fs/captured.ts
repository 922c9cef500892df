import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { types } from "node:util";

/**
 * The builtins that the guard itself uses, as they are before anything is replaced. Constants, not named imports: those follow the
 * replacements.
 */
export const realpathNative = fs.realpathSync.native;
export const { readlinkSync, lstatSync, fstatSync, openSync, closeSync, ftruncateSync, open, close, ftruncate } = fs;
export const { open: openFile, readFile: readOpened } = fs.promises;
export const urlToPath = fileURLToPath;
export const { isUint8Array, isDate, isNativeError } = types;
