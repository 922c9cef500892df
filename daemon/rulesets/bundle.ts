import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { allowedBuiltin } from "./builtins.ts";
import { locateSdk, type SdkLocation } from "./sdk-location.ts";
import { SigningRefused } from "./sign-refusal.ts";

/** One entry and everything it reaches, as one text that needs nothing but Node's own modules. */
export interface Bundle {
  readonly code: string;
  /** The entry's folder, by its real path: what relative paths are relative to. */
  readonly directory: string;
  /** The entry's file name. */
  readonly entry: string;
  /** Absolute real paths of every file in it. */
  readonly inputs: readonly string[];
  readonly builtins: readonly string[];
  readonly sdk: SdkLocation;
}

/** The same inputs give the same bytes: no comments, no maps, no time, no paths outside the entry's own tree. Throws `SigningRefused`. */
export const bundleRuleSet = async (entryPath: string): Promise<Bundle> => {
  const entryFile = await realpath(entryPath).catch((error: NodeJS.ErrnoException) => {
    throw new SigningRefused(
      "entry_unreadable",
      `rules ${entryPath} cannot be read (${error.code ?? "unknown error"})`,
    );
  });
  const directory = dirname(entryFile);
  const sdk = locateSdk();
  const { code, metafile } = await build(entryPath, entryFile, sdk);
  return {
    code,
    directory,
    entry: basename(entryFile),
    inputs: Object.keys(metafile.inputs)
      .map((path) => (isAbsolute(path) ? path : resolve(directory, path)))
      .sort(),
    builtins: builtinsOf(entryPath, metafile),
    sdk,
  };
};

const build = async (
  shown: string,
  entryFile: string,
  sdk: SdkLocation,
): Promise<{ code: string; metafile: Metafile }> => {
  // Loaded when something is signed, never by the daemon.
  const [esbuild, { dataFiles }] = await Promise.all([import("esbuild"), import("./yaml/data-files.ts")]);
  const data = dataFiles(entryFile, dirname(entryFile));
  try {
    const built = await esbuild.build({
      entryPoints: [entryFile],
      absWorkingDir: dirname(entryFile),
      bundle: true,
      write: false,
      metafile: true,
      format: "cjs",
      platform: "node",
      target: "node20",
      charset: "utf8",
      legalComments: "none",
      minifyWhitespace: true,
      minifySyntax: true,
      // Names of wrapped modules would otherwise be their paths on this machine.
      minifyIdentifiers: true,
      sourcemap: false,
      treeShaking: true,
      logLevel: "silent",
      tsconfigRaw: {},
      plugins: [ownSdk(sdk), data.plugin],
    });
    return { code: built.outputFiles[0]!.text, metafile: built.metafile };
  } catch (error) {
    const refusal = data.refusal();
    if (refusal !== null) throw refusal;
    throw new SigningRefused("does_not_bundle", `rules ${shown} do not bundle: ${firstError(error)}`);
  }
};

/** `interlock/rules` is this package, wherever the entry lies. */
const ownSdk = (sdk: SdkLocation): Plugin => ({
  name: "interlock-sdk",
  setup(build) {
    build.onResolve({ filter: /^interlock(\/|$)/ }, ({ path }) => {
      const file = sdk.files.get(path);
      return file === undefined
        ? { errors: [{ text: `there is no ${path}, but ${[...sdk.files.keys()].sort().join(", ")}` }] }
        : { path: file };
    });
  },
});

const builtinsOf = (shown: string, metafile: Metafile): readonly string[] => {
  const found = new Set<string>();
  for (const output of Object.values(metafile.outputs))
    for (const { path, external } of output.imports) {
      if (external !== true) continue;
      const builtin = allowedBuiltin(path);
      if (builtin === null)
        throw new SigningRefused("forbidden_builtin", `rules ${shown} require ${path}, which a rule set may not`);
      found.add(builtin);
    }
  return [...found].sort();
};

interface BuildError {
  readonly errors: readonly {
    readonly text: string;
    readonly location: { readonly file: string; readonly line: number } | null;
  }[];
}

const firstError = (error: unknown): string => {
  const first = (error as Partial<BuildError>).errors?.[0];
  if (first === undefined) return "esbuild failed";
  const place = first.location === null ? "" : ` (${first.location.file}:${first.location.line})`;
  return `${first.text.split("\n")[0]}${place}`;
};

/** A path as a manifest shows it: with forward slashes, relative to the entry's folder. */
export const shownPath = (directory: string, path: string): string => relative(directory, path).split(sep).join("/");
