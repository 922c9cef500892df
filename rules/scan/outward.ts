import { remembered } from "../remembered.ts";
import { toolWords } from "../tool-words.ts";

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

/** True where a call stays on this machine: files and commands. What is not known is taken to leave. */
export const staysHere = remembered((action): boolean => {
  const words = toolWords(action);
  return words.some((word) => localWords.has(word)) && !words.some((word) => outwardWords.has(word));
});
