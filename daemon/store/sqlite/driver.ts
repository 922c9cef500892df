import { createRequire } from "node:module";
import Database from "better-sqlite3";

type Options = Pick<Database.Options, "readonly" | "fileMustExist" | "timeout">;

const load = createRequire(import.meta.url);
let addon: object | null = null;

/**
 * Opens a database. The native part is named by its place in the package: the driver's own search for it reads a dozen
 * files at every start, and the bundled commands carry the driver's code but cannot carry this.
 */
export const openDriver = (path: string, options: Options): Database.Database => {
  addon ??= load("better-sqlite3/build/Release/better_sqlite3.node") as object;
  // The driver takes the loaded addon as well as its path; its types know the path only.
  return new Database(path, { ...options, nativeBinding: addon as unknown as string });
};
