import { lstatSync } from "node:fs";
import type { WireObject } from "../../../wire/value.ts";
import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { protectedBy, type Spelling } from "../../paths/place.ts";
import type { FileUse, Member } from "../../paths/protected/index.ts";
import { member } from "../../paths/protected/member.ts";
import { type Links, realPath, realPaths } from "../../paths/real-path.ts";
import { holdsCommand, onceRead } from "../../shell/command-arguments.ts";
import type { Directory } from "../../shell/directories.ts";
import type { Effect, FileEffect } from "../../shell/effect.ts";
import type { Script } from "../../shell/script.ts";
import { effectsFor } from "../../shell/script-effects.ts";
import type { BlockAnswer, EscalateAnswer } from "../../types.ts";
import { codeLiterals, isFromSample, isOwnKey, looseWords, windowsWords } from "./command-words.ts";
import { setsHooks } from "./hook-settings.ts";
import { inCommandsExamples } from "./in-commands.examples.ts";
import { everyTool } from "./path-texts.ts";
import { looksFor, readsBelow } from "./reads-below.ts";
import { type RecursiveRead, recursiveReads, searches } from "./recursive-readers.ts";
import type { Settings } from "./settings.ts";
import { undecided } from "./undecided.ts";

type Answer = BlockAnswer | EscalateAnswer | undefined;

/** Files of one command whose links are followed; each costs some microseconds. */
const maxFollowed = 64;
const maxFolders = 8;

/** Protected places in commands, by what each program does to them; recursive readers by what the folder holds. */
export const inCommands = (settings: Settings): DefinedRule => {
  const judged = new WeakMap<Script, Told>();
  const tell = (script: Script, { directory }: Settings): Told => {
    const before = judged.get(script);
    if (before?.directory === directory) return before;
    const told = { ...toldOf(script, { ...settings, directory }), directory };
    judged.set(script, told);
    return told;
  };
  return defineRule({
    id: "paths.in-commands",
    actions: everyTool,
    phase: "call",
    evaluate({ action, args }) {
      if (!holdsCommand(action, args)) return undefined;
      return judge(action, args, tell, { ...settings, directory: directoryIn(args) ?? settings.directory });
    },
    examples: undecided(inCommandsExamples, settings),
  });
};

const directories = ["cwd", "workdir", "working_directory", "workingDirectory", "dir", "directory"] as const;

/** The folder that the tool is told to run the command in. */
const directoryIn = (args: WireObject): string | null => {
  const options = args.options;
  const named = [...directories.map((name) => args[name]), cwdOf(options)].find((value) => typeof value === "string");
  return typeof named === "string" && /^[/~]/.test(named) ? named : null;
};

const cwdOf = (options: unknown): unknown =>
  typeof options === "object" && options !== null && "cwd" in options ? options.cwd : undefined;

const judge = (
  action: string,
  args: WireObject,
  tell: (script: Script, settings: Settings) => Told,
  settings: Settings,
): Answer | Promise<Answer> => {
  const foreign = asWindows(args, settings);
  if (foreign?.kind === "block") return foreign;
  return onceRead(
    action,
    args,
    (commands) => {
      let doubt = foreign;
      const links: Links = new Map();
      for (const { name, script } of commands) {
        const told = tell(script, settings);
        const found = told.member ?? linked(told.followed, settings, links);
        const answer =
          found === null
            ? (looksFor(told.searches, name, settings) ?? readsBelow(told.reads, name, settings, links))
            : answerOf(found, name);
        if (answer?.kind === "block") return answer;
        doubt ??= answer;
      }
      return doubt;
    },
    () => escalate("the command cannot be parsed"),
  );
};

const texts = ["command", "cmd", "script", "input"] as const;

/** The same text as a shell of Windows would read it. */
const asWindows = (args: WireObject, { protecting, directory }: Settings): BlockAnswer | EscalateAnswer | undefined => {
  for (const name of texts) {
    const text = args[name];
    for (const word of typeof text === "string" ? windowsWords(text) : []) {
      const found = protectedBy({ text: word, uses: ["read"], directory, isShell: true, follows: false }, protecting);
      if (found !== null) return answerOf(found, name);
    }
  }
  return undefined;
};

const answerOf = ({ what, answer }: Member, name: string): BlockAnswer | EscalateAnswer => {
  const why = `it reaches ${what}; one that is meant is named in the option allow`;
  return answer === "block" ? block(why, { attributedTo: name }) : escalate(why, { attributedTo: name });
};

/** What a script says by its text alone, told once; and what must be looked at on the machine each time. */
interface Told {
  readonly directory?: string | null;
  readonly member: Member | null;
  readonly followed: readonly Followed[];
  readonly reads: readonly RecursiveRead[];
  readonly searches: readonly RecursiveRead[];
}

/** A file whose links are followed at each call. */
interface Followed {
  readonly spelling: Spelling;
  /** Where it led when nothing was found to protect it; while it leads there, nothing does. Null: nowhere yet. */
  clean: string | null;
}

const hookSetting = member("vcs", ["write"], "escalate", "a setting that has version control run programs");

const usesOfKind: Readonly<Record<FileEffect["kind"], readonly FileUse[]>> = Object.freeze({
  reads: ["read"],
  writes: ["write"],
  deletes: ["delete"],
  lists: ["list"],
  alters: ["alter"],
});

const toldOf = (script: Script, settings: Settings): Told => {
  const effects = effectsFor(script);
  const files = effects.filter(isOnFile);
  const further = relativeFolders(script);
  const spellings = [
    ...files
      .filter((effect) => !isOwnKey(effect, script))
      .flatMap((effect) => spellingsOfEffect(effect, files, settings)),
    ...effects
      .flatMap((effect) => otherFiles(effect))
      .flatMap(({ text, directories }) => spellingsOf(text, directories, ["read"], settings)),
    ...[...looseWords(script), ...codeLiterals(script)].flatMap(({ text, directories }) =>
      spellingsOf(text, directories, ["read"], settings),
    ),
  ];
  const inFolders = spellings.flatMap((spelling) => further.flatMap((folder) => movedInto(spelling, folder, settings)));
  const members = [...spellings, ...inFolders].flatMap((spelling) => protectedBy(spelling, settings.protecting) ?? []);
  const named = members.find(({ answer }) => answer === "block") ?? members[0] ?? null;
  return {
    member: named ?? (setsHooks(script) ? hookSetting : null),
    followed: spellings
      .filter(({ follows }) => follows)
      .slice(0, maxFollowed)
      .map((spelling) => ({ spelling, clean: null })),
    reads: recursiveReads(script, files),
    searches: searches(script, files),
  };
};

/** Folders that a script goes to from one that is not known: `cd .git/hooks && cp x pre-commit`, `tar -C .ssh`. Any of its relative paths may be in any of them. */
const relativeFolders = ({ commands }: Script): readonly string[] => {
  const named = commands.flatMap(({ name, args }) =>
    name === "cd" || name === "pushd"
      ? args.slice(0, 3)
      : args.filter((_, at) => /^(?:-C|--directory|--chdir)$/.test(args[at - 1]?.text ?? "")),
  );
  return [...new Set(named.map(({ text }) => text).filter((text) => text !== "" && !/^[/~-]|\0/.test(text)))].slice(
    0,
    maxFolders,
  );
};

const movedInto = (spelling: Spelling, folder: string, settings: Settings): readonly Spelling[] =>
  /^[/~$]/.test(spelling.text) || spelling.directory !== settings.directory
    ? []
    : [{ ...spelling, text: `${folder}/${spelling.text}`, follows: false }];

const isOnFile = (effect: Effect): effect is FileEffect & Effect =>
  effect.kind === "reads" ||
  effect.kind === "writes" ||
  effect.kind === "deletes" ||
  effect.kind === "lists" ||
  effect.kind === "alters";

/** A script that is run is read; so is the file of a URL. */
const otherFiles = (
  effect: Effect,
): readonly { readonly text: string; readonly directories: readonly Directory[] }[] => {
  if (effect.kind === "runs" && effect.path !== null) return [effect.path];
  if (effect.kind === "reaches" && /^(?:file|jar):/i.test(effect.address))
    return [{ text: effect.address, directories: [null] }];
  return [];
};

const spellingsOfEffect = (
  effect: FileEffect,
  files: readonly FileEffect[],
  settings: Settings,
): readonly Spelling[] => {
  const { kind, path, program } = effect;
  if (kind === "writes" && isFromSample(effect, files) && !exists(path.text, path.directories, settings)) return [];
  const uses = program === "ln" && kind === "reads" ? (["read"] as const) : usesOfKind[kind];
  const own = spellingsOf(path.text, path.directories, uses, settings);
  // What is put into a folder is a file in it: `cp key.pub ~/.ssh`.
  const into =
    kind === "writes" && !makesFolders.has(program)
      ? spellingsOf(`${path.text}/new`, path.directories, uses, settings).map((spelling) => ({
          ...spelling,
          follows: false,
        }))
      : [];
  return [...own, ...into];
};

const makesFolders: ReadonlySet<string> = new Set(["mkdir", "touch", "mktemp", "", "tee"]);

const spellingsOf = (
  text: string,
  directories: readonly Directory[],
  uses: readonly FileUse[],
  settings: Settings,
): readonly Spelling[] =>
  [...new Set(directories.map((directory) => directory ?? settings.directory))].map((directory) => ({
    text,
    uses,
    directory,
    isShell: true,
    follows: !/[*?[\0]/.test(text),
  }));

const linked = (all: readonly Followed[], { protecting }: Settings, links: Links): Member | null => {
  for (const one of all) {
    const { spelling } = one;
    const leads = realPaths(spelling.text, spelling.directory, links)?.join("\0") ?? "";
    if (one.clean === leads) continue;
    const found = protectedBy(spelling, protecting, links);
    if (found !== null) return found;
    one.clean = leads;
  }
  return null;
};

const exists = (text: string, directories: readonly Directory[], settings: Settings): boolean =>
  directories.some((directory) => {
    const path = realPath(text, directory ?? settings.directory);
    if (path === null) return false;
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  });
