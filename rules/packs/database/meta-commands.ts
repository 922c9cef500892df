import type { Harm } from "./harm.ts";

/** Commands of psql and sqlite3 themselves that only show or set how it is shown. */
const showing =
  /^(?:\\(?:d[A-Za-z]{0,5}\+?|l\+?|z|sf|sv|timing|x|pset|a|t|conninfo|encoding|echo|h|\?|q|c|connect|set|unset|errverbose)(?:\s|$)|\.(?:tables|schema|fullschema|mode|headers?|databases|dbinfo|index(?:es)?|indices|width|nullvalue|timeout|timer|print|stats|show|separator|explain|eqp|bail|echo|changes|help|quit|exit|version|lint|sha3sum|dbconfig|parameter)(?:\s|$)|\.dump(?:\s+[\w%]{1,128})?$)/;
const programs = /^(?:\\!|\\(?:g|w|o|copy)\b.{0,200}[|`]|\.(?:shell|system|load)\b)/;
const files =
  /^(?:\\(?:copy|o|out|w|write|lo_export|lo_import|cd|s)\b|\.(?:output|once|import|open|backup|save|restore|clone|dump|recover|excel|archive|ar|log|trace|cd)\b)/;
/**
 * Data and statements that lie below the client's own folder, under a name that no key or setting has. psql and sqlite3 run beside
 * the agent: `psql -f seed.sql` and `> dump.csv` do the same.
 */
const ownFile =
  "'?[A-Za-z0-9_][\\w-]{0,64}(?:\\/[A-Za-z0-9_][\\w-]{0,64}){0,6}\\.(?:csv|tsv|json|sql|db|sqlite3?|txt|bak)'?";
const onOwnFile = new RegExp(
  `^(?:\\.(?:output|once|backup|read|import(?: --(?:csv|ascii)| --skip [0-9]{1,4}){0,2}) ${ownFile}(?: [\\w"]{1,64})?` +
    `|\\\\copy [\\w."]{1,128}(?: ?\\([\\w", ]{1,512}\\))? (?:to|from) ${ownFile}(?: [\\w,() ']{1,128})?)$`,
  "i",
);
const filling = /^\.(?:import|read)|^\\copy [^']{1,700} from /i;

/** What a text of psql's or sqlite3's own commands does; null for a text of SQL. A script of theirs is not read: `\i`, `.read`. */
export const metaHarms = (text: string): ReadonlySet<Harm> | null => {
  const trimmed = text.trimStart();
  if (!/^[\\.][A-Za-z!?]/.test(trimmed)) return null;
  const harms = new Set<Harm>();
  for (const line of trimmed.split("\n").slice(0, 200)) {
    const command = line.trim();
    if (command === "" || showing.test(command)) continue;
    if (onOwnFile.test(command)) {
      if (filling.test(command)) harms.add("changes_rows");
    } else if (programs.test(command)) harms.add("program");
    else if (files.test(command)) harms.add("file");
    else harms.add("dynamic");
  }
  return harms;
};
