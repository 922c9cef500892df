import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Folders that hold what was written elsewhere, or was made from sources. */
const skippedFolders = new Set(["node_modules", "dist", "data", ".git", "out"]);

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesUnder(path);
    return entry.isFile() ? [path] : [];
  });

const sourceExtensions = new Set([".ts", ".mts", ".mjs", ".js", ".cjs"]);
const textExtensions = new Set([
  ...sourceExtensions,
  ".md",
  ".json",
  ".yaml",
  ".yml",
  ".toml",
  ".sh",
  ".html",
  ".css",
  "",
]);

const all = filesUnder("");

/** Paths relative to the project, with forward slashes. */
export const sourceFiles: readonly string[] = all.filter((path) => sourceExtensions.has(extname(path)));
export const textFiles: readonly string[] = all.filter((path) => textExtensions.has(extname(path)));

export const isTest = (path: string): boolean => path.endsWith(".test.ts") || path.endsWith(".test-d.ts");

/** A test, or what only tests use: it lies in a folder `testing/` or is named `testing.ts` or `test-...`. */
export const servesTests = (path: string): boolean =>
  isTest(path) || path.includes("/testing/") || /^test(-|ing\.)/.test(basename(path));

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
