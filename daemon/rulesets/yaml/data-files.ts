import { relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import type { SigningRefused } from "../sign-refusal.ts";
import { dataModule } from "./data-module.ts";
import { readDataFile } from "./read-data-file.ts";

/** Lets a rule set import YAML files, or be one. The first refusal is kept, in its own words, for who builds. */
export const dataFiles = (
  entryFile: string,
  directory: string,
): { plugin: Plugin; refusal(): SigningRefused | null } => {
  let refusal: SigningRefused | null = null;
  const plugin: Plugin = {
    name: "interlock-data-files",
    setup(build) {
      build.onLoad({ filter: /\.ya?ml$/ }, async ({ path }) => {
        const use = path === entryFile ? "entry" : "import";
        try {
          const contents = await readDataFile(path, relative(directory, path).split(sep).join("/"), use);
          return { contents: dataModule(contents, use), loader: "js", resolveDir: directory };
        } catch (error) {
          refusal ??= error as SigningRefused;
          return { errors: [{ text: "refused" }] };
        }
      });
    },
  };
  return { plugin, refusal: () => refusal };
};
