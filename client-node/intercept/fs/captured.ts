import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { types } from "node:util";

/**
 * The builtins that the guard itself uses, as they are before anything is replaced. Constants, not named imports: those follow the
 * replacements.
 */
export const realpathNative = fs.realpathSync.native;
export const readlinkSync = fs.readlinkSync;
export const lstatSync = fs.lstatSync;
export const openFile = fs.promises.open;
export const urlToPath = fileURLToPath;
export const { isUint8Array, isDate, isSharedArrayBuffer } = types;
