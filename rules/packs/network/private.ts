import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type Held, heldAs, type PrivateTerms } from "../../network/private.ts";
import { destinationsIn, type Stated } from "../../network/stated.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { everyAction, type NetworkOptions } from "./options.ts";
import { privateExamples } from "./private.examples.ts";

const tooManyDestinations = "it has more addresses than are looked at";

/**
 * Calls that lead into the private network: an address anywhere in the arguments, by every spelling that a URL parser takes. Whether
 * a public name resolves to an inside address is seen where the process guard shows its connections, as `net.dial`.
 */
export const privateNetwork = (options: NetworkOptions, terms: PrivateTerms): DefinedRule =>
  defineRule({
    id: "network.private",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const { all, isCutShort } = destinationsIn(action, args);
      // Whoever is named by its host is let through with whatever address that host has.
      const dialled = action.startsWith("net.") || action.startsWith("tls.") ? namedHost(all, terms) : null;
      let question: EscalateAnswer | undefined;
      for (const stated of all) {
        if (dialled !== null && (stated.place === "host" || stated.place === "address")) continue;
        const held = heldAs(stated, terms);
        if (held === null) continue;
        const answer = answerTo(held, stated.place, options);
        if (answer.kind === "block") return answer;
        question ??= answer;
      }
      return isCutShort ? block(tooManyDestinations) : question;
    },
    examples: privateExamples(options, terms),
  });

export const answerTo = (
  { what, reason }: Held,
  place: string,
  { privateNetwork: how }: NetworkOptions,
): BlockAnswer | EscalateAnswer =>
  what === "private" && how === "escalate"
    ? escalate(reason, { attributedTo: place })
    : block(reason, { attributedTo: place });

/** `net.dial` has the address beside the host that led to it. */
const namedHost = (all: readonly Stated[], { allowHosts }: PrivateTerms): Stated | null =>
  all.find(
    ({ place, destination }) =>
      place === "host" &&
      destination.kind === "network" &&
      (allowHosts.has(destination.host) || allowHosts.has(`${destination.host}:${destination.port || "80"}`)),
  ) ?? null;
