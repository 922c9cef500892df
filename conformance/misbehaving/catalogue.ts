import type { Misbehaviour } from "./conduct.ts";
import { connectionMisbehaviours } from "./connections.ts";
import { controls } from "./controls.ts";
import { helloMisbehaviours } from "./hellos.ts";
import { idMisbehaviours } from "./ids.ts";
import { replayMisbehaviours } from "./replays.ts";
import { textMisbehaviours } from "./texts.ts";
import { verdictMisbehaviours } from "./verdicts.ts";

/** Every way to answer badly, after the controls. */
export const misbehaviours: readonly Misbehaviour[] = [
  ...controls,
  ...connectionMisbehaviours,
  ...textMisbehaviours,
  ...idMisbehaviours,
  ...verdictMisbehaviours,
  ...replayMisbehaviours,
  ...helloMisbehaviours,
];

/** misbehaviours.json: the list for authors of other languages. */
export const misbehavioursText = (): string => {
  const list = misbehaviours.map(({ name, description, expect, questions, together, judged }) => ({
    name,
    description,
    expect,
    questions,
    together,
    judged,
  }));
  return `${JSON.stringify({ misbehaviours_version: 1, misbehaviours: list }, null, 2)}\n`;
};
