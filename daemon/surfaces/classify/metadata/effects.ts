import { nameWords, wordSet } from "../names/words.ts";

/** What a tool does, in the words of the field. */
export type Effect = "read" | "create" | "update" | "delete" | "share" | "export" | "message" | "execute";

const forms = (list: string): readonly string[] =>
  [...wordSet(list)].flatMap((verb) => [
    verb,
    `${verb}s`,
    `${verb}es`,
    verb.endsWith("y") ? `${verb.slice(0, -1)}ies` : verb,
  ]);

const groups: readonly (readonly [Effect, ReadonlySet<string>])[] = [
  [
    "read",
    new Set(
      forms(
        "get list read search find query fetch describe show view count check lookup retrieve browse explain inspect scan analyze return preview validate load observe look watch compare resolve",
      ),
    ),
  ],
  ["create", new Set(forms("create add insert make generate new clone duplicate"))],
  [
    "update",
    new Set(
      forms(
        "update edit modify set write put patch rename move replace append change enable disable merge save store apply fill",
      ),
    ),
  ],
  [
    "delete",
    new Set(
      forms("delete remove erase drop purge destroy wipe truncate uninstall revoke unlink cancel terminate deactivate"),
    ),
  ],
  ["share", new Set(forms("share grant invite publish"))],
  ["export", new Set(forms("export upload transmit exfiltrate mirror replicate forward relay sync"))],
  ["message", new Set(forms("send email notify message reply tweet text sms dm"))],
  [
    "execute",
    new Set(
      forms("execute run exec invoke shell eval bash deploy spawn kill transfer pay charge purchase buy withdraw"),
    ),
  ],
];

export const effectOf = (word: string): Effect | null => groups.find(([, words]) => words.has(word))?.[0] ?? null;

/** By the first word of the name that is a verb. Whole words: `updated_at` is no update. */
export const effectsOfName = (name: string): ReadonlySet<Effect> => {
  for (const word of nameWords(name)) {
    const effect = effectOf(word);
    if (effect !== null) return new Set([effect]);
  }
  return new Set();
};

export const risky: ReadonlySet<Effect> = new Set(["delete", "share", "export", "message", "execute"]);
export const changing: ReadonlySet<Effect> = new Set([...risky, "create", "update"]);

export const hasAny = (effects: ReadonlySet<Effect>, wanted: ReadonlySet<Effect>): boolean =>
  [...effects].some((effect) => wanted.has(effect));
