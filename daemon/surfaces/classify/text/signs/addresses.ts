import type { Severity } from "../../../finding.ts";
import { type Address, addressOf } from "../addresses.ts";
import type { TextContext, TextRole } from "../context.ts";
import type { Sentence } from "../sentence.ts";
import { type Sign, sign } from "../sign.ts";
import { dataNouns, exampleWords, secretNouns, sessionNouns } from "../vocabulary.ts";

/** Addresses that the approved definition does not name, judged by what the text wants done with them. */
export const addressSigns = (
  sentence: Sentence,
  around: readonly Sentence[],
  context: TextContext,
  role: TextRole,
): readonly Sign[] => {
  const signs: Sign[] = [];
  for (const [at, token] of sentence.tokens.entries()) {
    if (token.kind === "word" || token.kind === "path") continue;
    const isSentTo = sendsTo(sentence, at);
    const address = addressOf(token, context.ownWords, isSentTo);
    if (address === null || !sentence.isNew(Math.max(0, at - 3), at + 1)) continue;
    const isKnown = context.knownHosts.has(address.host);
    if (isKnown && !(isSentTo && address.is === "collector")) continue;
    if (sentence.isNegated(at)) continue;
    signs.push(
      judged(
        address,
        sentence,
        around,
        context,
        role,
        isSentTo,
        isExample(sentence, at),
        token.kind === "host" && !/^[\d.[\]]+$/.test(token.text),
      ),
    );
  }
  return signs;
};

const judged = (
  address: Address,
  sentence: Sentence,
  around: readonly Sentence[],
  { isNewItem, isSender }: TextContext,
  role: TextRole,
  isSentTo: boolean,
  isAnExample: boolean,
  isBare: boolean,
): Sign => {
  const holds = [...around, sentence].some(
    (one) => one.runs(secretNouns).length > 0 || one.runs(sessionNouns).length > 0,
  );
  const isSent = isSentTo || (around.some((near) => near.hasNew && near.hasVerb("send")) && !isAnExample);
  if (address.is === "collector")
    return sign("destination_introduced", "critical", "new text names a service that collects what it is sent");
  if (address.is === "own")
    return sign("destination_introduced", "minor", "new text names an address of the server's own domain");
  const isReserved = address.is === "reference" && /^(?:\w{1,16}\.)?example\.(?:com|org|net|edu)$/.test(address.host);
  if (isSent && !isAnExample && !(isReserved && !isSentTo)) {
    if (holds)
      return sign("description_exfiltration", "critical", "new text sends secrets to an address that nobody approved");
    const severity: Severity = isNewItem ? "high" : "critical";
    return sign("sink_added", severity, "new text sends something to an address that nobody approved");
  }
  if (role === "default" || role === "choice") {
    if (address.is === "local")
      return sign("destination_introduced", "moderate", "a new value is an address of a private network");
    return sign(
      "destination_introduced",
      role === "default" && !isNewItem ? "critical" : "high",
      "a new value is an address that nobody approved",
    );
  }
  if (address.is === "local" || address.is === "reference")
    return sign("destination_introduced", "minor", "new text names an address for examples or references");
  if (role === "link")
    return sign("destination_introduced", "high", "a new link leads to an address that nobody approved");
  if (isAnExample || role === "example")
    return sign("destination_introduced", isSender ? "minor" : "moderate", "a new example names an address");
  // A filter for sites is explained by sites.
  if (role === "parameter" && isBare)
    return sign("destination_introduced", "moderate", "new text of a parameter names a host");
  return sign("destination_introduced", "high", "new text names an address that nobody approved");
};

/** A verb that sends stands before it, and what is sent or where to between them. */
const sendsTo = (sentence: Sentence, at: number): boolean => {
  for (const kind of ["send", "weakSend", "put"] as const)
    for (const verb of sentence.verbs(kind)) {
      if (verb > at || at - verb > (kind === "send" ? 30 : 12)) continue;
      const isPointed =
        pointing.has(sentence.word(at - 1)) ||
        pointing.has(sentence.word(at - 2)) ||
        sentence.tokens[at]?.kind === "mail";
      if (
        kind === "send" ||
        (isPointed && sentence.has(dataNouns, verb + 1, at) && !sentence.has(troubles, verb + 1, at))
      )
        return true;
    }
  return sinks.has(sentence.word(at - 1)) || sinks.has(sentence.word(at - 2));
};
/** "report issues at ...". */
const troubles: ReadonlySet<string> = new Set(
  "issue issues bug bugs problem problems feedback question questions".split(" "),
);
const pointing: ReadonlySet<string> = new Set(
  "to at into via through with as toward towards using address endpoint".split(" "),
);
const sinks: ReadonlySet<string> = new Set("bcc cc webhook callback recipient copied".split(" "));

const isExample = (sentence: Sentence, at: number): boolean => sentence.has(exampleWords, at - 8, at);
