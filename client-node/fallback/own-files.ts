import fs from "node:fs";

/**
 * The files of the guard itself: its memory of policies and its spool. Taken before a guarded process has its builtins
 * replaced, so that writing one asks nobody.
 */
const {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  writeSync,
} = fs;

export { lstatSync as statOf, mkdirSync as makeDirectory, readdirSync as namesIn, statSync as statBehind };

/** Durable when it returns: the file is whole under its name, or nothing is there. False where the name is taken. Throws as `fs` does. */
export const writeOnce = (directory: string, name: string, text: string, unique: string): boolean => {
  const draft = `${directory}/${unique}.draft`;
  const descriptor = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    try {
      const bytes = Buffer.from(text, "utf8");
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return linked(draft, `${directory}/${name}`, directory);
  } finally {
    removeFile(draft);
  }
};

/** A name is given once: nobody's file is written over. */
const linked = (draft: string, path: string, directory: string): boolean => {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  syncDirectory(directory);
  return true;
};

const syncDirectory = (directory: string): void => {
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Somebody else may have removed it. */
export const removeFile = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
};
