import type { Effect } from "../effect.ts";
import type { Word } from "../word.ts";
import { behind, type Call, onAddress, onFiles, onSystem, type Program, type Programs, valuesOf } from "./program.ts";

/** A package that is named by where it lies, not by its name in a registry: it was looked at by nobody. */
const isFromUrl = ({ text }: Word): boolean =>
  /^(?:git\+|git:|https?:|ssh:|ftp:|github:|gitlab:|bitbucket:|gist:)/i.test(text) ||
  /@\s*(?:git\+|https?:)/i.test(text) ||
  /^[\w.-]+\/[\w.-]+(?:#|$)/.test(text);

const fromUrl = (call: Call, words: readonly Word[]): readonly Effect[] =>
  words.filter(isFromUrl).flatMap(({ text, known }): readonly Effect[] => [
    { program: call.program, kind: "reaches", address: text, known, sends: false },
    { program: call.program, kind: "runs", what: "download", path: null, text: null },
  ]);

const installs = /^(?:install|add|i|in|isntall|exec|x|dlx|get|download|update|upgrade|run)$/;

/** Registries that everybody's packages come from. */
const publicRegistry =
  /^https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|pypi\.org|files\.pythonhosted\.org)(?:\/|$)/;

/** `npm config set registry URL`, `pip config set global.index-url URL`: from now on packages are somebody else's. */
const lasting = (call: Call, words: readonly Word[]): readonly Effect[] => {
  const at = words.findIndex(({ text }) =>
    /(?:^|[.:])(?:registry|index-url|extra-index-url|script-shell)(?:=|$)/i.test(text),
  );
  const word = words[at];
  if (word === undefined) return [];
  const value = word.text.includes("=") ? behind(word, "=") : words[at + 1];
  return value === undefined || publicRegistry.test(value.text)
    ? []
    : [
        ...onAddress(call, /^https?:/.test(value.text) ? [value] : [], "fetches"),
        { program: call.program, kind: "runs", what: "download", path: null, text: null },
      ];
};

const npmLike: Program = {
  grammar: {
    short: "wCFc",
    long: ["prefix", "workspace", "registry", "filter", "call", "package", "cwd", "dir", "loglevel", "userconfig"],
  },
  does: (call) => {
    const [what, ...packages] = call.operands;
    return [
      ...(what !== undefined && installs.test(what.text) && what.text !== "run"
        ? fromUrl(
            call,
            packages.filter(({ text }) => !/^[\w.-]+\/[\w.-]+$/.test(text) || what.text !== "exec"),
          )
        : []),
      ...onAddress(call, valuesOf(call, "registry"), "fetches"),
      ...(what !== undefined && /^(?:config|c|set)$/.test(what.text) ? lasting(call, packages) : []),
      ...((what?.text === "publish" || what?.text === "unpublish" || what?.text === "deprecate") && !isRehearsal(call)
        ? onSystem(call, "publishes")
        : []),
    ];
  },
};

const pip: Program = {
  grammar: {
    short: "rcietfd",
    long: [
      "requirement",
      "constraint",
      "index-url",
      "extra-index-url",
      "editable",
      "target",
      "find-links",
      "prefix",
      "python-version",
      "trusted-host",
      "cache-dir",
      "log",
      "timeout",
      "retries",
      "proxy",
      "cert",
    ],
  },
  does: (call) => [
    ...(/^(?:install|download|wheel)$/.test(call.operands[0]?.text ?? "")
      ? fromUrl(
          call,
          [...call.operands.slice(1), ...valuesOf(call, "e", "editable")].filter(
            ({ text }) => !/^\.{0,2}\/|^[\w.-]+\/[\w.-]+$/.test(text),
          ),
        )
      : []),
    ...onAddress(call, valuesOf(call, "i", "index-url", "extra-index-url", "proxy"), "fetches"),
    ...(call.operands[0]?.text === "config" ? lasting(call, call.operands.slice(1)) : []),
    ...onFiles("reads", call, valuesOf(call, "r", "requirement", "c", "constraint")),
    ...onFiles("writes", call, valuesOf(call, "t", "target")),
  ],
};

const system: Program = {
  grammar: { short: "otc", long: ["target-release", "option"] },
  does: (call) =>
    fromUrl(
      call,
      call.operands.slice(1).filter(({ text }) => text.includes("://")),
    ),
};

/** `npm publish --dry-run` packs, and sends nothing. */
const isRehearsal = ({ options }: Call): boolean => {
  const said = options.filter(({ name }) => name.endsWith("dry-run"));
  return said.length > 0 && said.every(({ name, value }) => name === "dry-run" && value === null);
};

const publisher = (name: string): Program => ({
  does: (call) => (call.operands[0]?.text === name ? onSystem(call, "publishes") : []),
});

/** Package managers. What a package's own scripts do is beyond what a command tells. */
export const packagePrograms: Programs = {
  npm: npmLike,
  pnpm: npmLike,
  yarn: npmLike,
  npx: {
    grammar: { short: "pc", long: ["package", "call"], leading: true },
    does: (call) =>
      fromUrl(
        call,
        [...call.operands.slice(0, 1), ...valuesOf(call, "p", "package")].filter(
          ({ text }) => !/^[\w.-]+\/[\w.-]+$/.test(text),
        ),
      ),
  },
  pip,
  pip3: pip,
  pipx: pip,
  uv: {
    ...pip,
    does: (call) => pip.does(call.operands[0]?.text === "pip" ? { ...call, operands: call.operands.slice(1) } : call),
  },
  cargo: {
    grammar: { short: "pFjC", long: ["git", "path", "package", "features", "manifest-path"] },
    does: (call) => [
      ...(call.operands[0]?.text === "install" ? fromUrl(call, valuesOf(call, "git")) : []),
      ...(call.operands[0]?.text === "publish" && !isRehearsal(call) ? onSystem(call, "publishes") : []),
    ],
  },
  gem: {
    grammar: { short: "vs" },
    does: (call) => (call.operands[0]?.text === "push" ? onSystem(call, "publishes") : []),
  },
  twine: publisher("upload"),
  go: { does: () => [] },
  apt: system,
  "apt-get": system,
  dnf: system,
  yum: system,
  apk: system,
  brew: { does: () => [] },
  rpm: {
    does: (call) => [
      ...fromUrl(
        call,
        call.operands.filter(({ text }) => text.includes("://")),
      ),
      ...onFiles(
        "reads",
        call,
        call.operands.filter(({ text }) => text.endsWith(".rpm")),
      ),
    ],
  },
  dpkg: {
    grammar: { short: "i" },
    does: (call) =>
      onFiles("reads", call, [...valuesOf(call, "i"), ...call.operands.filter(({ text }) => text.endsWith(".deb"))]),
  },
};
