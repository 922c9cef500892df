/** Where a call goes, by the words of its name: tools have no other sign that all of them carry. */

const wordsOf = (action: string): readonly string[] =>
  action
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const outwardWords: ReadonlySet<string> = new Set(
  "http https fetch request post send mail email message messages msg upload publish share comment webhook search browse browser navigate url web slack discord telegram tweet sms notify api curl wget download websocket ws socket a2a push reply respond response output log return invite issue pr".split(
    " ",
  ),
);
const localWords: ReadonlySet<string> = new Set(
  "write read edit multiedit create save append file files fs bash shell sh exec execute run command cmd terminal process powershell grep glob patch replace notebook python code node repl child render todo plan task editor".split(
    " ",
  ),
);

const known = new Map<string, boolean>();
const maxKnown = 1_024;

/** True where a call stays on this machine: files and commands. What is not known is taken to leave. */
export const staysHere = (action: string): boolean => {
  const before = known.get(action);
  if (before !== undefined) return before;
  const words = wordsOf(action);
  const stays = words.some((word) => localWords.has(word)) && !words.some((word) => outwardWords.has(word));
  if (known.size >= maxKnown) known.clear();
  known.set(action, stays);
  return stays;
};
