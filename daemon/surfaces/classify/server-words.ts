import { getDomain } from "tldts";
import type { Surface, SurfaceItem } from "../surface.ts";
import { itemTexts } from "./item-texts.ts";
import { effectsOfName, hasAny, risky } from "./metadata/effects.ts";
import { skeletonOf } from "./names/look-alikes.ts";
import { nameWords } from "./names/words.ts";
import type { OtherServer } from "./other-server.ts";
import { addressOf } from "./text/addresses.ts";
import type { NamedTool } from "./text/context.ts";
import { tokensIn } from "./text/token.ts";

/** What is known of a server besides the item that is judged: its own words, its tools, and those of others. */
export interface Neighbours {
  readonly ownWords: () => ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, NamedTool>;
  /** Names of tools by what they are taken for; `server` is null for this server's own. */
  readonly alike: ReadonlyMap<string, readonly { readonly name: string; readonly server: string | null }[]>;
}

const none = (): ReadonlySet<string> => new Set();

/** Words that a server is called by: its own name, its package's, and those that most of its tools' names have. */
const namesOf = (surface: Surface): Set<string> => {
  const words = new Set(nameWords(surface.server));
  const { identity } = surface;
  if (identity?.kind === "stdio" && identity.package !== null)
    for (const word of nameWords(identity.package.name)) words.add(word);
  if (identity?.kind === "http") words.add(getDomain(identity.url) ?? "");
  const counts = new Map<string, number>();
  const tools = surface.items.filter(({ kind }) => kind === "tool");
  for (const { name } of tools)
    for (const word of new Set(nameWords(name))) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) if (count > 1 && count * 2 > tools.length) words.add(word);
  for (const generic of ["mcp", "server", "tool", "tools", "api", ""]) words.delete(generic);
  return words;
};

/** What it is called by, and the domains that its approved definitions name. */
const ownWordsOf = (approved: Surface): ReadonlySet<string> => {
  const words = namesOf(approved);
  for (const { definition } of approved.items)
    for (const { text } of itemTexts(definition).texts) {
      if (!/[.@]/.test(text)) continue;
      for (const token of tokensIn(text)) {
        if (token.kind === "word" || token.kind === "path") continue;
        const address = addressOf(token, none, false);
        if (address !== null && address.is === "foreign") words.add(getDomain(address.host) ?? address.host);
      }
    }
  return words;
};

/** Made once for a surface, and only where something of it changed. */
export const neighboursOf = (
  approved: Surface | null,
  observed: readonly SurfaceItem[],
  others: readonly OtherServer[],
): Neighbours => {
  let words: ReadonlySet<string> | null = null;
  const ownWords = (): ReadonlySet<string> => {
    words ??= approved === null ? new Set() : ownWordsOf(approved);
    return words;
  };
  const tools = new Map<string, NamedTool>();
  for (const { server, tools: names } of others)
    for (const name of names) tools.set(name.toLowerCase(), { server, isRisky: hasAny(effectsOfName(name), risky) });
  for (const { kind, name } of [...(approved?.items ?? []), ...observed])
    if (kind === "tool") tools.set(name.toLowerCase(), { server: null, isRisky: hasAny(effectsOfName(name), risky) });
  return { ownWords, tools, alike: alikeOf(observed, others) };
};

const alikeOf = (observed: readonly SurfaceItem[], others: readonly OtherServer[]): Neighbours["alike"] => {
  const alike = new Map<string, { name: string; server: string | null }[]>();
  const add = (name: string, server: string | null): void => {
    const skeleton = skeletonOf(name);
    const found = alike.get(skeleton);
    if (found === undefined) alike.set(skeleton, [{ name, server }]);
    else found.push({ name, server });
  };
  for (const { kind, name } of observed) if (kind === "tool") add(name, null);
  for (const { server, tools } of others) for (const name of tools) add(name, server);
  return alike;
};
