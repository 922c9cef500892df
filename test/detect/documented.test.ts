import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { standardPacks } from "../../rules/packs/standard.ts";
import type { RuleEvent } from "../../rules/types.ts";
import type { WireObject } from "../../wire/value.ts";
import { judgeBy, surroundings } from "./judge.ts";

const page = readFileSync(new URL("../../docs/packs.md", import.meta.url), "utf8").split("\n");

interface Shown {
  readonly action: string;
  readonly args: WireObject;
  readonly kind: string;
  readonly rule: string;
}

/** `rm -rf /   # block  commands.destructive`, and `read_file {"path":".ENV"}   block   paths.protected: why`. */
const shown = page.flatMap((line): readonly Shown[] => {
  const [, command, of, by] = /^(\S.*?)\s+# (block|escalate|allow) {2}([a-z]+\.[a-z-]+)$/.exec(line) ?? [];
  if (command !== undefined) return [{ action: "bash", args: { command }, kind: of as string, rule: by as string }];
  const [, action, args, kind, rule] =
    /^(\w+)\s+(\{.*\})\s+(block|escalate|allow)\s+([a-z]+\.[a-z-]+): /.exec(line) ?? [];
  if (action === undefined) return [];
  return [
    {
      action,
      args: JSON.parse((args as string).replace(", ...", ',"content":"x"')),
      kind: kind as string,
      rule: rule as string,
    },
  ];
});

it("docs/packs.md shows answers", () => expect(shown.length).toBeGreaterThan(10));

it.each(shown)("docs/packs.md: $action $args is answered $kind by $rule", async ({ action, args, kind, rule }) => {
  const judged = await judgeBy("starter")({ action, args });
  expect(judged.kind).toBe(kind);
  if (kind !== "allow") expect(judged.rule).toBe(rule);
  const named = standardPacks(surroundings).rules.find(({ id }) => id === rule);
  const event = { action, args, phase: "call", principal: null, parent_principal: null, span_id: null, ts: 0 } as const;
  const own = await named?.evaluate(event satisfies RuleEvent, { now_ms: 0, lookup: async () => undefined });
  expect(own?.kind).toBe(kind);
});
