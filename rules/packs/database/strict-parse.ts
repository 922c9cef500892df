/** Longer texts are not what somebody puts into a field to break out of a statement. */
const maxCharacters = 2_048;
const maxNesting = 24;

/**
 * Whether a text is SQL as a whole, by a grammar: node-sql-parser's of MySQL, which takes the fewest sentences of prose for
 * SQL of those compared (pgsql-ast-parser takes `'the dogs' or cats' food'`). It refuses a tenth of what databases accept, so it
 * only decides about texts that are perhaps prose. Loaded when the first such text is judged.
 */
export const isSql = async (text: string): Promise<boolean> => {
  // What is longer than the grammar is asked about is held for SQL: padding must not turn a statement into prose.
  if (text.length > maxCharacters || nesting(text) > maxNesting) return true;
  const { default: parsers } = await import("node-sql-parser/build/mysql.js");
  try {
    new parsers.Parser().astify(text, { database: "mysql" });
    return true;
  } catch {
    return false;
  }
};

const nesting = (text: string): number => {
  let depth = 0;
  let most = 0;
  for (const character of text) {
    if (character === "(") most = Math.max(most, ++depth);
    else if (character === ")") depth--;
  }
  return most;
};
