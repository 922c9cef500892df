/**
 * Can this SQL open or write another file than the database's own? Only `ATTACH ... AS` and `VACUUM INTO` can, at the head of a statement. The
 * words are looked for wherever they stand, in texts and comments too: to know better would be to parse as SQLite does.
 */
export const reachesFile = (sql: string): boolean => has(sql, "attach", "as") || has(sql, "vacuum", "into");

const has = (sql: string, first: string, then: string): boolean => {
  const at = sql.search(word(first));
  return at >= 0 && word(then).test(sql.slice(at));
};

const word = (text: string): RegExp => new RegExp(`(?<![a-z0-9_])${text}(?![a-z0-9_])`, "i");
