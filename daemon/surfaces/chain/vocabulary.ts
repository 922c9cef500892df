import { toolWords } from "../../../rules/tool-words.ts";

/** What a step does to the world, as far as chains are concerned. */
export type ChainEffect =
  | "read"
  | "preview"
  | "mutation"
  | "external"
  | "destructive"
  | "deploy"
  | "execution"
  | "money_movement";

const words: Readonly<Record<ChainEffect, string>> = {
  read: "read get list search fetch find query show describe view lookup retrieve no_effect",
  preview: "preview plan dry_run simulate draft validate estimate diff draft_created",
  mutation:
    "create update modify apply write set edit add insert upsert save move rename append patch created updated applied mutating",
  external:
    "message share export send post publish submit mail email notify forward upload tweet reply sync mirror relay push external_send sent published submitted exported shared",
  destructive: "delete destroy drop remove purge wipe truncate erase deleted destroyed",
  deploy: "deploy release rollout promote ship deployed released",
  execution: "execute exec shell bash eval run executed",
  money_movement: "charge refund transfer pay payout withdraw charged refunded transferred money_movement",
};

const told = (Object.entries(words) as [ChainEffect, string][]).flatMap(([effect, list]) =>
  list.split(" ").map((word) => [word, effect] as const),
);

/** Every word that a plan may declare as an effect, in the tenses of both vocabularies of the field. */
export const effectWords: ReadonlyMap<string, ChainEffect> = new Map(told);

/** Words that name a thing as often as a deed: behind `get` or `list` they are the thing. */
const things: ReadonlySet<string> = new Set(
  "email mail message post share charge transfer refund plan release draft export run order diff patch query reply set view estimate".split(
    " ",
  ),
);
const joins: ReadonlySet<string> = new Set(["and", "then", "or"]);

/**
 * What a tool's name says that it does: its first verb, and each verb behind `and`. `get_payment` and `list_charges` read,
 * `research_and_publish` publishes, `email_search` searches. Empty where no word is known.
 */
export const effectsOfName = (name: string): ReadonlySet<ChainEffect> => {
  const found = new Set<ChainEffect>();
  let clause: string[] = [];
  for (const word of [...toolWords(name), "and"]) {
    if (!joins.has(word)) {
      clause.push(word);
      continue;
    }
    const deed = deedOf(clause);
    if (deed !== null) found.add(deed);
    clause = [];
  }
  return found;
};

const deedOf = (clause: readonly string[]): ChainEffect | null => {
  if (clause.some((word, at) => word === "dry" && clause[at + 1] === "run")) return "preview";
  const known = clause.filter((word) => effectWords.has(word));
  const verb = known.find((word) => !things.has(word)) ?? known[0];
  // A noun in front of the verb is the noun; in front of nothing but nouns it is the verb.
  const first = known[0];
  const said =
    first !== undefined && things.has(first) && clause[0] === first && verb !== first && !isRead(verb) ? first : verb;
  return said === undefined ? null : (effectWords.get(said) as ChainEffect);
};

const isRead = (word: string | undefined): boolean => word !== undefined && effectWords.get(word) === "read";

const classWords: readonly (readonly [string, string])[] = [
  ["secrets", "secret secrets password passwords credential credentials vault keychain apikey keypair"],
  ["phi", "patient patients medical diagnosis diagnoses prescription phi health"],
  ["financial", "payment payments invoice invoices iban ledger salary payroll card cards transactions"],
  ["pii", "ssn passport customer customers contact contacts pii employee employees"],
];

/** The classes of data that words of a tool's name name; single letters of a word are none. */
export const classesOfName = (name: string): readonly string[] => {
  const all = toolWords(name);
  return classWords.filter(([, list]) => list.split(" ").some((word) => all.includes(word))).map(([kind]) => kind);
};
