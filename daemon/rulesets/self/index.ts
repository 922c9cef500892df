import { canonical } from "../../../wire/canonical.ts";
import { daemonVersion } from "../../version.ts";
import type { LoadedRuleSet } from "../loaded.ts";
import { sha256Hex } from "../manifest.ts";
import { commandsRule } from "./commands-rule.ts";
import { daemonRule } from "./daemon-rule.ts";
import { filesRule } from "./files-rule.ts";
import type { Protected } from "./places.ts";
import { selfId } from "./self-id.ts";
import { socketRule } from "./socket-rule.ts";

const version = 1;
/** The first command that is looked at closely loads the parser of shells: 75 ms on an idle machine, and more than a second on a busy one. */
const deadline_ms = 5_000;

/**
 * The daemon's own rule set: it keeps a guarded process from taking apart what guards it. No signature, because it is a part of the
 * program that checks signatures; its digest is of its id and version and of the program's.
 */
export const selfProtection = (itself: Protected): LoadedRuleSet =>
  Object.freeze({
    id: selfId,
    version,
    digest: `sha256:${sha256Hex(`interlock built-in v1\n${canonical([selfId, version, daemonVersion])}`)}`,
    keyIds: [],
    origin: null,
    rules: Object.freeze([filesRule(itself), commandsRule(itself), socketRule(itself), daemonRule(itself)]),
    resolvers: Object.freeze({}),
    tools: Object.freeze([]),
    policies: Object.freeze([]),
    deadline_ms,
  });
