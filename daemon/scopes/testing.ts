import { readSource } from "./read-source.ts";
import { ScopesRefused } from "./refusal.ts";

/** Templates of a document that tests bind. */
const templates = `
templates:
  ceiling:
    params: { max: { type: number } }
    policy: { tools: [refund], when: { amount: { gt: { param: max } } }, then: deny }
  hosts:
    params: { allowed: { type: strings, merge: union } }
    policy: { tools: [fetch], when: { host: { not_in: { param: allowed } } }, then: deny }
  words:
    params: { denied: { type: strings, merge: union, widens: subset } }
    policy: { tools: [say], when: { text: { in: { param: denied } } }, then: deny }
  currency:
    params: { only: { type: string } }
    policy: { tools: [refund], when: { currency: { ne: { param: only } } }, then: deny }
`;

/** A document of these scopes. */
export const text = (scopes: string, more = ""): string =>
  `id: acme\nversion: 1\n${more}${templates}\nscopes:\n${scopes}`;

/** Codes and places of everything that is refused. */
export const refused = (source: string): readonly string[] => {
  try {
    readSource(source, "scopes.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof ScopesRefused)) throw error;
    return error.details.length > 0 ? error.details : [error.message];
  }
};

export const codes = (source: string): readonly string[] =>
  refused(source).map((line) => /\((\w+)\)$/.exec(line)?.[1] ?? line);
