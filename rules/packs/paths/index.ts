import { listOf, oneOf, orNull, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import { inCommands } from "./in-commands.ts";
import type { PathsOptions } from "./options.ts";
import { protectedPaths } from "./protected.ts";
import { roots } from "./roots.ts";
import { settingsOf } from "./settings.ts";
import { traversal } from "./traversal.ts";

export type { PathsOptions } from "./options.ts";

/** One identity for every way to name a file. The security argument: read (readings, folded, real path), judge (protected sets, roots). */
export const paths = definePack<PathsOptions>({
  id: "paths",
  notes: {
    title: "Files: what may be read and written, whatever way they are named",
    stops: [
      "Reading or writing credentials: .env, .ssh, .aws, .npmrc, .netrc, key files, browser profiles, /etc/shadow, /proc/PID/environ, in any case and encoding.",
      "Writing what runs later: shell start-up files, cron, systemd, launch agents, authorized_keys, hooks and configuration of version control, agents and this guard.",
      "File tools outside the roots, by the path that the kernel would reach: links, .., ~, file URLs and Windows forms included.",
      "A hidden .. in any tool's arguments: ..%2f, %252e, overlong forms, ....//, null bytes, and names in archives that climb.",
      "Commands that read, copy or search such files, and recursive readers (grep -r, cp -r, tar) of a folder that holds one.",
    ],
    cannot: [
      "What a script, a program of the project or an interpreter does to files when a command starts it.",
      "A link that is changed between this answer and the call, and hard links: the roots must not be writable by others.",
      "A recursive search of a folder with more entries than are looked at (largeSearches says what it gets).",
    ],
    tune: [
      'allow: ["test/fixtures/.env"] lets one file through, exactly; protect: ["*.secret", "/srv/private"] adds places.',
      "readRoots may be wider than writeRoots: add the folders of your package manager or documentation for reading.",
    ],
  },
  options: {
    readRoots: {
      what: "Folders that file tools may read in; null: the roots of the rule set.",
      takes: orNull(listOf(text)),
    },
    writeRoots: {
      what: "Folders that file tools may write in; null: the roots of the rule set.",
      takes: orNull(listOf(text)),
    },
    outsideRoots: {
      what: "What a file tool gets outside of them: block, or escalate to a person.",
      takes: oneOf("block", "escalate"),
    },
    protect: {
      what: "Names (with *), which count at any depth, and absolute paths that are protected too, with all below.",
      takes: listOf(text),
    },
    allow: {
      what: "Exact paths that are not protected, though they have the name of what is; the roots still hold.",
      takes: listOf(text),
    },
    ciFiles: {
      what: "Whether a person is asked before pipelines (.github/workflows, .gitlab-ci.yml) are changed.",
      takes: oneOf("escalate", "pass"),
    },
    instructions: {
      what: "Whether a person is asked before CLAUDE.md, AGENTS.md and their like are changed.",
      takes: oneOf("escalate", "pass"),
    },
    largeSearches: {
      what: "What a recursive search inside the roots gets when its folder has more entries than are looked at.",
      takes: oneOf("escalate", "pass"),
    },
  },
  tiers: {
    starter: {
      readRoots: null,
      writeRoots: null,
      outsideRoots: "block",
      protect: [],
      allow: [],
      ciFiles: "pass",
      instructions: "pass",
      largeSearches: "pass",
    },
    strict: {
      readRoots: null,
      writeRoots: null,
      outsideRoots: "block",
      protect: [],
      allow: [],
      ciFiles: "escalate",
      instructions: "escalate",
      largeSearches: "escalate",
    },
  },
  rules: (options, around) => {
    const settings = settingsOf(options, around);
    return [protectedPaths(settings), roots(settings), traversal(settings), inCommands(settings)];
  },
});
