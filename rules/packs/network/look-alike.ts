import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { looksAlike, mayLookAlike } from "../../network/look-alike.ts";
import { destinationsIn, type Stated } from "../../network/stated.ts";
import { isSpokenFor } from "../../network/user-info.ts";
import type { BlockAnswer } from "../../types.ts";
import { everyAction, type NetworkOptions } from "./options.ts";

/**
 * Hosts that pass for another: letters of other scripts (UTS #39), and a user name that is written as a host. The table of look-alike
 * letters is loaded for the first internationalised name: 170 KB, 30 ms.
 */
export const lookAlike = ({ allowDomains }: NetworkOptions): DefinedRule => {
  const known = allowDomains.map((domain) => domain.split(".")[0] ?? domain);
  return defineRule({
    id: "network.look-alike",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const { all } = destinationsIn(action, args);
      for (const stated of all)
        if (isSpokenFor(stated.destination))
          return block("the address has another host for a user name", { attributedTo: stated.place });
      const international = all.filter(({ destination }) => mayLookAlike(hostOf(destination)));
      return international.length === 0 ? undefined : judged(international, known);
    },
    examples: [
      { event: { action: "fetch", args: { url: "https://github.com@example.net/" } }, expect: "block" },
      { event: { action: "fetch", args: { url: "https://\u0430\u0440\u0440\u04cf\u0435.com/" } }, expect: "block" },
      { event: { action: "fetch", args: { url: "https://p\u0430ypal.com/" } }, expect: "block" },
      { event: { action: "fetch", args: { url: "https://xn--pypal-4ve.com/" } }, expect: "block" },
      { event: { action: "fetch", args: { url: "https://m\u00fcnchen.de/" } }, expect: "silent" },
      {
        event: { action: "fetch", args: { url: "https://\u0440\u043e\u0441\u0441\u0438\u044f.\u0440\u0444/" } },
        expect: "silent",
      },
      { event: { action: "fetch", args: { url: "https://\u65e5\u672c\u8a9e.jp/" } }, expect: "silent" },
      { event: { action: "fetch", args: { url: "https://user@example.com/" } }, expect: "silent" },
    ],
  });
};

const judged = async (all: readonly Stated[], known: readonly string[]): Promise<BlockAnswer | undefined> => {
  const { default: alike } = await import("unhomoglyph");
  for (const { destination, place } of all)
    if (looksAlike(hostOf(destination), alike, known))
      return block("the host looks like another", { attributedTo: place });
  return undefined;
};

const hostOf = (destination: Stated["destination"]): string =>
  destination.kind === "network" ? destination.host : destination.kind === "mail" ? destination.domain : "";
