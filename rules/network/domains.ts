import { getDomain, getPublicSuffix } from "tldts";
import { RuleDefinitionError } from "../definition-error.ts";

/** A list of domains as a rule set states them, read against the list of public suffixes (https://publicsuffix.org). */
export interface DomainList {
  allows(host: string): boolean;
}

const asListed = { allowPrivateDomains: true } as const;

/**
 * `example.com` holds what is below it, because one owner has it all; `api.example.com` is that host alone. A public suffix (`co.uk`,
 * `github.io`) would hold everybody's: it throws `RuleDefinitionError`.
 */
export const domainList = (domains: readonly string[]): DomainList => {
  const owned = new Set<string>();
  const exact = new Set<string>();
  for (const domain of domains) {
    const name = hostnameOf(domain);
    if (name === null || name === getPublicSuffix(name, asListed))
      throw new RuleDefinitionError(
        "a domain of allowDomains has many owners (co.uk, github.io): name those below it that are meant",
      );
    if (name === getDomain(name, asListed)) owned.add(name);
    else exact.add(name);
  }
  return Object.freeze({
    allows: (host: string): boolean => {
      const name = host.replace(/\.$/, "");
      if (exact.has(name) || owned.has(name)) return true;
      const registrable = getDomain(name, asListed);
      return registrable !== null && owned.has(registrable);
    },
  });
};

/** In the form that a URL has: `xn--`, lower case. */
const hostnameOf = (domain: string): string | null =>
  URL.canParse(`http://${domain}`) && !/[/?#@:]/.test(domain)
    ? new URL(`http://${domain}`).hostname.replace(/\.$/, "")
    : null;
