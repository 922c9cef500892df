import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import type { DomainList } from "../../network/domains.ts";
import { isAllowed, type PrivateTerms } from "../../network/private.ts";
import { destinationsIn, type Stated } from "../../network/stated.ts";
import type { BlockAnswer } from "../../types.ts";
import { everyAction, type NetworkOptions } from "./options.ts";

/** Only the domains of a list may be reached. Silent where the list is empty; the table of public suffixes is loaded only for it: 190 KB, 16 ms. */
export const allowList = ({ allowDomains }: NetworkOptions, terms: PrivateTerms): DefinedRule => {
  const list = listOf(allowDomains);
  return defineRule({
    id: "network.allow-list",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      if (allowDomains.length === 0) return undefined;
      const asked = destinationsIn(action, args).all.filter(isJudged);
      return asked.length === 0 ? undefined : judged(asked, list, terms);
    },
    examples: [
      { event: { action: "read_file", args: { path: "a" } }, expect: "silent" },
      {
        event: { action: "fetch", args: { url: "https://not-on-any-list.example/" } },
        expect: allowDomains.length === 0 || allowDomains.includes("not-on-any-list.example") ? "silent" : "block",
      },
    ],
  });
};

/** Loaded once, when the first address is judged. Throws `RuleDefinitionError` for a domain that is nobody's own, which blocks. */
export const listOf = (domains: readonly string[]): (() => Promise<DomainList>) => {
  let loaded: Promise<DomainList> | undefined;
  return () => {
    loaded ??= import("../../network/domains.ts").then(({ domainList }) => domainList(domains));
    return loaded;
  };
};

const isJudged = ({ destination, how, place, text }: Stated): boolean =>
  destination.kind === "network" && how !== "mentioned" && !(mayBeFile.test(place) && /^[\w.-]+$/.test(text));

/** `dest: "app.tar.gz"` is written like a host. */
const mayBeFile = /(?:^|\.)(?:to|dest|destination|target)s?(?:\[\d+\])?$/i;

const judged = async (
  asked: readonly Stated[],
  list: () => Promise<DomainList>,
  { allowHosts }: PrivateTerms,
): Promise<BlockAnswer | undefined> => {
  const { allows } = await list();
  for (const { destination, place } of asked)
    if (destination.kind === "network" && !isAllowed(destination, allowHosts) && !allows(destination.host))
      return block("the host is not on the list of allowed domains", { attributedTo: place });
  return undefined;
};
