import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { declaredLimits } from "../../client-node/intercept/coverage/declared-limits.ts";
import { isPlainObject } from "../../client-node/plain-object.ts";

/** What an attack tries to do: read a protected file, run `id`, or reach a blocked port or address. */
export const targets = ["read", "run", "reach"] as const;
export type Target = (typeof targets)[number];

/** One way around the guard: a function of a family's file. */
export interface Attack {
  readonly family: string;
  readonly file: string;
  readonly target: Target;
  readonly name: string;
  /** How its program is guarded: a CommonJS one by `--require`, a module by `--import`. */
  readonly preload: "require" | "import";
  /** The declared limit that it shows; null: it must be blocked. */
  readonly limit: string | null;
}

const declared = new Set(declaredLimits.map(({ id }) => id));
const folder = fileURLToPath(new URL("families", import.meta.url));

const attacksOf = async (fileName: string): Promise<readonly Attack[]> => {
  const file = `${folder}/${fileName}`;
  const isCommonJs = fileName.endsWith(".cjs");
  const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const limits: unknown = exported.limits ?? {};
  if (!isPlainObject(limits)) throw new TypeError(`${fileName}: \`limits\` is not an object`);
  const attacks = targets.flatMap((target) =>
    Object.keys(exported[target] ?? {}).map((name): Attack => {
      const limit = limits[name];
      return {
        family: fileName.slice(0, fileName.lastIndexOf(".")),
        file,
        target,
        name,
        preload: isCommonJs ? "require" : "import",
        limit: typeof limit === "string" ? limit : null,
      };
    }),
  );
  const names = new Set(attacks.map(({ name }) => name));
  if (names.size < attacks.length) throw new TypeError(`${fileName}: two attacks have one name`);
  for (const [name, limit] of Object.entries(limits)) {
    if (!names.has(name)) throw new TypeError(`${fileName}: no attack '${name}'`);
    if (!declared.has(limit as string)) throw new TypeError(`${fileName}: '${limit}' is no declared limit`);
  }
  return attacks;
};

/** Every attack of every family, by family. */
export const everyAttack = async (): Promise<readonly Attack[]> =>
  (
    await Promise.all(
      readdirSync(folder)
        .filter((name) => !name.startsWith("_"))
        .sort()
        .map(attacksOf),
    )
  ).flat();
