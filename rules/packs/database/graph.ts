import type { StoreHarm } from "./stores.ts";

const maxCharacters = 16_384;

/** Procedures that read files, run programs or texts, or change the server: https://neo4j.com/labs/apoc/. */
const programs =
  /\bAPOC\s*\.\s*(?:CYPHER\s*\.\s*RUN|LOAD\s*\.|EXPORT\s*\.|IMPORT\s*\.|PERIODIC\s*\.|TRIGGER\s*\.|CUSTOM\s*\.|SYSTEMDB\s*\.)/;
const server =
  /\b(?:CREATE|ALTER|DROP|GRANT|DENY|REVOKE)\s+(?:OR\s+REPLACE\s+)?(?:USER|ROLE|PRIVILEGE)|\bGRANT\b|\bDBMS\s*\./;

/**
 * What a query of a graph database does, by its clauses (openCypher 9): a DELETE, SET or REMOVE behind a MATCH that neither WHERE, nor
 * properties, nor LIMIT narrow is for every node that there is.
 */
export const cypherHarm = (text: string): StoreHarm | null => {
  if (text.length > maxCharacters) return "all_rows";
  const query = clausesOf(text).toUpperCase();
  if (server.test(query)) return "server";
  if (programs.test(query)) return "program";
  if (/\bDROP\s+(?:DATABASE|COMPOSITE|GRAPH)\b/.test(query)) return "destroys";
  if (!/\b(?:DELETE|SET|REMOVE)\b/.test(query) || !/\bMATCH\b/.test(query)) return null;
  return /\b(?:WHERE|LIMIT)\b|\{/.test(query) ? null : "all_rows";
};

/** Without strings, comments and quoted names: what stands in them is no clause. */
const clausesOf = (text: string): string => {
  let clauses = "";
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] as string;
    if (mark === "'" || mark === '"' || mark === "`") at = endOfLiteral(text, at);
    else if (mark === "/" && text[at + 1] === "/") at = endAt(text, "\n", at);
    else if (mark === "/" && text[at + 1] === "*") at = endAt(text, "*/", at + 2) + 1;
    else {
      clauses += mark;
      continue;
    }
    clauses += " ";
  }
  return clauses;
};

const endAt = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found;
};

/** Where the literal that begins at `from` ends; a backslash takes the next character in. */
const endOfLiteral = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && text[from] !== "`") at++;
    else if (text[at] === text[from]) return at;
  }
  return text.length;
};
