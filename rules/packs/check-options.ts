import { RuleDefinitionError } from "../definition-error.ts";
import { host, listOf, type OptionKind, oneOf, text } from "./option-kind.ts";
import type { OptionNote, Pack } from "./pack.ts";

type Members = Readonly<Record<string, unknown>>;

const surroundings: Readonly<Record<string, OptionKind>> = Object.freeze({
  roots: listOf(text),
  directory: text,
  allowHosts: listOf(host),
  tier: oneOf("starter", "strict"),
});

/**
 * What was given to `standardPacks`, as it is written in a rule set; what is undefined counts as left out. Throws
 * `RuleDefinitionError` for a name that means nothing and for a value that its option does not take: one that was passed over
 * would weaken the rules and nobody would know.
 */
export const checkStandardOptions = (given: object, packs: readonly Pack[]): void => {
  const { packs: chosen = {}, ...around } = given as Members;
  if (around.roots === undefined) fail("roots is missing: the folders that files may be read and written in");
  checkMembers(around, surroundings, "");
  if (!isObject(chosen)) fail("packs takes an object of options by pack");
  for (const [id, options] of Object.entries(chosen)) {
    const pack = packs.find((known) => known.id === id);
    if (pack === undefined)
      fail(`there is no pack ${JSON.stringify(id)}, but ${packs.map((one) => one.id).join(", ")}`);
    if (options === undefined || options === "off") continue;
    if (!isObject(options)) fail(`packs.${id} takes "off", or an object of options`);
    const notes = Object.entries(pack.options as Readonly<Record<string, OptionNote>>);
    checkMembers(options, Object.fromEntries(notes.map(([name, { takes }]) => [name, takes])), `packs.${id}.`);
  }
};

const checkMembers = (members: Members, kinds: Readonly<Record<string, OptionKind>>, where: string): void => {
  for (const [name, value] of Object.entries(members)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined)
      fail(`there is no option ${JSON.stringify(where + name)}, but ${Object.keys(kinds).join(", ")}`);
    if (value !== undefined && !kind.fits(value)) fail(`${where}${name} takes ${kind.takes}`);
  }
};

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fail: (message: string) => never = (message) => {
  throw new RuleDefinitionError(`standard packs: ${message}`);
};
