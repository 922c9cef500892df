import { posix } from "node:path";
import { block, escalate } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { defineRule } from "../define.ts";
import { fileActions, filesIn } from "../paths/file-arguments.ts";
import { tooManyArguments } from "../paths/named-arguments.ts";
import { realPaths } from "../paths/real-path.ts";
import { type CommandArgument, commandActions, commandsIn } from "../shell/command-arguments.ts";
import { type Directory, placesOf } from "../shell/directories.ts";
import { Unparseable } from "../shell/parse.ts";
import type { Script } from "../shell/script.ts";
import { unknown, type Word } from "../shell/word.ts";
import type { BlockAnswer, EscalateAnswer } from "../types.ts";
import { secretCommandExamples, secretFileExamples } from "./secret-files.examples.ts";
import { isSecretFolder, isSecretPath } from "./secret-names.ts";

/**
 * Files that hold keys, passwords and tokens: `.env` and its stages, `.ssh`, `.aws/credentials`, `.npmrc`, `.netrc`, key
 * files, `/etc/shadow`, `/proc/PID/environ`. By name, in any case, and by the name of what a link leads to. Silent about the rest,
 * samples such as `.env.example` included.
 */
export const secretFiles = (
  options: { readonly actions?: readonly string[]; readonly directory?: string } = {},
): DefinedRule => {
  const { actions = fileActions, directory = null } = options;
  return defineRule({
    id: "starter.secret-files",
    actions,
    phase: "call",
    evaluate(event) {
      const files = filesIn(event.args);
      if (files === null) return block(tooManyArguments);
      for (const { place, path } of files) {
        if (path === null) continue;
        const named = [path, decoded(path), ...(realPaths(path, directory) ?? [])];
        if (named.some((name) => isSecretPath(posix.normalize(name))))
          return block("it is a file of keys, passwords or tokens", { attributedTo: place });
      }
      return undefined;
    },
    examples: secretFileExamples(actions[0]!),
  });
};

/** The same files as words of a command: `cat ~/.ssh/id_rsa`, `curl -d @.env`, `cd ~/.aws && cat credentials`. */
export const secretFilesInCommands = (options: { readonly actions?: readonly string[] } = {}): DefinedRule => {
  const { actions = commandActions } = options;
  return defineRule({
    id: "starter.secret-files-in-commands",
    actions,
    phase: "call",
    async evaluate(event) {
      try {
        return judge(await commandsIn(event.action, event.args));
      } catch (error) {
        if (!(error instanceof Unparseable)) throw error;
        return escalate("the command cannot be parsed");
      }
    },
    examples: secretCommandExamples(actions[0]!),
  });
};

const judge = (commands: readonly CommandArgument[]): BlockAnswer | EscalateAnswer | undefined => {
  let doubt: EscalateAnswer | undefined;
  for (const { name, script } of commands) {
    const places = placesIn(script);
    if (places.some(isSecretPath)) return block("it names a file of keys, passwords or tokens", { attributedTo: name });
    if (places.some(isHiddenPattern))
      doubt ??= escalate("its pattern may match a file of keys", { attributedTo: name });
    const whole = script.commands
      .filter(({ name: program }) => readers.has(program))
      .flatMap(({ args, directories }) => args.flatMap(({ text }) => placesOf(directories, text)));
    if (whole.some(isSecretFolder)) doubt ??= escalate("it reads a whole folder of keys", { attributedTo: name });
  }
  return doubt;
};

/** Every place that a word may name, each looked at once: a wrapper's words are those of what it wraps, again. */
const placesIn = ({ commands, redirects }: Script): readonly string[] => {
  const seen = new Map<readonly Directory[], Set<string>>();
  const take = ({ text }: Word, directories: readonly Directory[]): void => {
    const texts = seen.get(directories) ?? new Set<string>();
    seen.set(directories, texts.add(text));
  };
  for (const { target, directories } of redirects) take(target, directories);
  for (const { args, directories } of commands) for (const word of args) take(word, directories);
  return [...seen].flatMap(([directories, texts]) =>
    [...new Set([...texts].flatMap(filesOf))].flatMap((path) => placesOf(directories, path)),
  );
};

/** Programs that read every file of a folder that they are given. */
const readers: ReadonlySet<string> = new Set([
  "cp",
  "mv",
  "tar",
  "zip",
  "7z",
  "rsync",
  "scp",
  "rclone",
  "grep",
  "egrep",
  "rg",
  "ag",
  "find",
  "cat",
]);

/** What in a word may be a file: the word, what follows `=`, `:` or `@` in it, and the file of a URL among them. */
const filesOf = (text: string): readonly string[] => [
  text,
  ...text.split(/[=:@]/).slice(1),
  ...text.split(/[=@]/).map(decoded),
];

/** `.e*`, `.{env,x}`, `.ssh/id_?s?`: a hidden name that ends in a pattern, or a pattern in a folder of keys. */
const isHiddenPattern = (path: string): boolean => {
  let isInSecretFolder = false;
  for (const part of path.split("/")) {
    if (isPattern(part) && (isInSecretFolder || /^\.[^.]/.test(part))) return true;
    isInSecretFolder ||= isSecretFolder(part);
  }
  return false;
};

/** What the shell fills in is a pattern too. */
const isPattern = (part: string): boolean => part.includes(unknown) || /[*?[]/.test(part);

/**
 * The path of a file URL, with its escapes taken out; other texts as they are. One malformed escape (`%zz`) leaves the
 * others standing: curl decodes those that it can, where `decodeURIComponent` gives up.
 */
const decoded = (path: string): string =>
  /^file:/i.test(path) && URL.canParse(path) ? new URL(path).pathname.replace(/(?:%[0-9a-f]{2})+/gi, bytesOf) : path;

const bytesOf = (escapes: string): string => Buffer.from(escapes.replaceAll("%", ""), "hex").toString();
