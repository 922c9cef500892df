/** What the words of an injection are about. Patterns are written in these. */
export const concepts = [
  "override", // ignore, disregard, forget
  "setaside", // bypass, skip, cancel: everyday words that can mean the same
  "prior", // previous, above
  "quant", // all, any, your
  "rules", // instructions, guidelines
  "instruct", // instruction, directive
  "everything",
  "words",
  "told", // "everything you were told"
  "reveal",
  "hiddenness", // system, initial, hidden: before `prompt`
  "whole", // your, full
  "prompt",
  "secret", // keys, passwords
  "secretfile", // id_rsa
  "dotfile", // env, ssh: behind a dot
  "send",
  "data", // customer emails, chat history
  "value", // it, contents, results
  "bad", // attacker, evil
  "outside", // external, remote
  "server",
  "link",
  "datalink",
  "address",
  "remember",
  "store", // save, update
  "memory",
  "lasting", // permanently, always
  "admin",
  "trusted",
  "user",
  "access", // access, fetch, show
  "other",
  "tenant",
  "person", // customer, account
  "record",
  "call", // call, invoke, use
  "tool",
  "identifier",
  "approve",
  "pending",
  "request", // calls, actions, payments
  "delete",
  "decode",
  "encoded", // base64
  "execute",
  "perform", // do
  "negation",
  "tell",
  "silently",
  "be", // are, is
  "you",
  "from",
  "become", // now, henceforth
  "on",
  "persona", // dan, unrestricted
  "without",
  "limits",
  "developer",
  "mode",
  "pretend",
  "hypothetical",
  "refuse",
  "comply",
  "demand", // must, required, mandatory
  "failure",
  "fresh", // new, real, actual
  "goal",
  "instead",
  "prefer", // preferred, always
  "this",
  "supersede",
  "append",
  "answer", // response, reply
  "parameter",
  "read",
  "load",
  "speaker", // system, admin, assistant: before a colon
  "notice",
  "important",
  "assistant",
  "lead", // and, then, please: what stands before a command
  "possible", // can, may, how: what stands before what is no command
  "copy", // bcc
  "elevated",
  "translate",
  "combine", // concatenate
  "next",
  "step",
  "further",
  "heed", // attention: "pay no attention to"
  "ask", // asking, confirmation: "without asking"
  "mine", // my, me
  "ai", // a model by what it is, or by a name that no person has
  "meta", // example, attack, detector: talk about injections
] as const;

export type Concept = (typeof concepts)[number];

/** Words by concept, separated by spaces; `*` at the end stands for all endings. Without accents, in lower case. */
export type Vocabulary = { readonly [Name in Concept]?: string };
