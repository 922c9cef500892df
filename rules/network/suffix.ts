/** Is the name one of these domains, or a name below one? Whole labels count: `evil-nip.io` is not below `nip.io`. */
export const isBelow = (name: string, domains: ReadonlySet<string>): boolean => domainAbove(name, domains) !== null;

/** The one of these domains that the name is or is below. */
export const domainAbove = (name: string, domains: ReadonlySet<string>): string | null => {
  let rest = name.endsWith(".") ? name.slice(0, -1) : name;
  for (;;) {
    if (domains.has(rest)) return rest;
    const dot = rest.indexOf(".");
    if (dot === -1) return null;
    rest = rest.slice(dot + 1);
  }
};
