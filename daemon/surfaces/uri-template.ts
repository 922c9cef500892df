/**
 * Could a URI be one of a template (RFC 6570)? Every expression stands for any text, so that more is taken for the template's than it
 * makes, and nothing less. Linear in the length of the URI for each expression.
 */
export const couldMatch = (template: string, uri: string): boolean => {
  const literals = literalsOf(template);
  const first = literals[0] as string;
  if (literals.length === 1) return uri === first;
  const last = literals.at(-1) as string;
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false;
  const end = uri.length - last.length;
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = uri.indexOf(literal, at);
    if (found === -1 || found + literal.length > end) return false;
    at = found + literal.length;
  }
  return true;
};

/** What stands between expressions. A brace that is never closed is a literal one. */
const literalsOf = (template: string): readonly string[] => {
  const literals: string[] = [];
  let from = 0;
  for (;;) {
    const open = template.indexOf("{", from);
    const close = open === -1 ? -1 : template.indexOf("}", open);
    if (close === -1) return [...literals, template.slice(from)];
    literals.push(template.slice(from, open));
    from = close + 1;
  }
};
