import type { WireObject, WireValue } from "../../../wire/value.ts";
import type { TaintClass, Watch } from "../../config/settings.ts";
import type { Denial, Watched, WatchedBehaviour } from "../../engine/judgement.ts";
import { reasonLine, withheld } from "../../engine/reason.ts";
import type { ReasonCode } from "../../engine/reason-codes.ts";
import { readsSecret } from "../chain/step-facts.ts";
import { effectsOfName } from "../chain/vocabulary.ts";
import { actionOf } from "../finding.ts";
import { holds } from "../state/record.ts";
import type { Behaviours, ToolPlace } from "./behaviours.ts";
import { type EffectSeen, effectsIn } from "./effect.ts";
import type { RuntimeFinding } from "./finding.ts";
import { judgeReach, judgeResult } from "./profile.ts";
import { type Reach, reachOf } from "./reach.ts";
import { type ResponseShape, responseShape } from "./response.ts";
import { defaultWindow, type ToolProfile } from "./tool-profile.ts";

type Said = Watched["said"][number];

interface SeenCall {
  readonly reach: Reach;
  readonly readsSecret: boolean;
}

interface SeenResult {
  readonly shape: ResponseShape;
  readonly effect: EffectSeen;
  /** The call failed by its server's word: nothing is learned of it. */
  readonly isError: boolean;
}

/**
 * One call of a server's tool, or one result, held against what the tool did before. What it adds to what is known it adds once it
 * stands: what was blocked did not happen.
 */
export class CallBehaviour implements WatchedBehaviour {
  readonly #behaviours: Behaviours;
  readonly #place: ToolPlace;
  readonly #session: object;
  readonly #phase: "call" | "result";
  #call: SeenCall | null = null;
  #result: SeenResult | null = null;

  constructor(behaviours: Behaviours, place: ToolPlace, session: object, phase: "call" | "result") {
    this.#behaviours = behaviours;
    this.#place = place;
    this.#session = session;
    this.#phase = phase;
  }

  watch(value: WireObject): Watched {
    return this.#phase === "call" ? this.#watchCall(value) : this.#watchResult(value);
  }

  /** The call is let run, or the result delivered. */
  stands(): void {
    const { labels } = this.#behaviours;
    if (this.#call !== null) {
      if (this.#call.readsSecret) labels.add(this.#session, "secrets");
      this.#learn(judgeReach(this.#profile(), this.#call.reach, this.#terms()).profile);
    }
    if (this.#result === null) return;
    const { shape, effect, isError } = this.#result;
    for (const kind of shape.classes) {
      const label = labelOf(kind);
      if (label !== null) labels.add(this.#session, label);
    }
    if (!isError) this.#learn(judgeResult(this.#profile(), shape, effect, this.#terms()).profile);
  }

  #watchCall(args: WireObject): Watched {
    const { chain, reach: watch } = this.#behaviours.settings;
    const reach = reachOf(args);
    this.#call = { reach, readsSecret: readsSecret(this.#place.tool, args) };
    const said: Said[] = [];
    const tainted = chain === "off" ? null : this.#tainted(reach);
    if (tainted !== null) said.push(chain === "enforce" ? ["chain", "DENY"] : [`chain/${tainted.type}`, "SHADOW_DENY"]);
    if (tainted !== null && chain === "enforce") {
      return { denial: denial("chain_blocked", `${tainted.type}: ${tainted.reason}`), said };
    }
    if (watch === "off") return { denial: null, said };
    const { findings, isLearned } = judgeReach(this.#profile(), reach, this.#terms());
    const held = this.#hold("reach", watch, findings, isLearned, said);
    return { denial: held.length === 0 ? null : denial("reach_drift", reasonOf(held, args)), said };
  }

  #watchResult(args: WireObject): Watched {
    const { response, effect: watchEffect } = this.#behaviours.settings;
    const value = deliveredIn(args);
    const isError = args.isError === true;
    const by = isReader(this.#place.tool) ? "reader" : "doer";
    const effect = isError ? nothingDone : effectsIn(value, by);
    const shape = responseShape(value);
    this.#result = { shape, effect, isError };
    const { findings, isLearned } = judgeResult(this.#profile(), shape, effect, this.#terms());
    const said: Said[] = [];
    for (const [name, watch, code] of [
      ["response", response, "response_drift"],
      ["effect", watchEffect, "effect_drift"],
    ] as const) {
      if (watch === "off") continue;
      const own = findings.filter(({ type }) => type.startsWith(`${name}_`));
      const held = this.#hold(name, watch, own, isLearned, said);
      if (held.length > 0) return { denial: denial(code, `${reasonOf(held, args)}; ${observed}`), said };
    }
    return { denial: null, said };
  }

  /** Tells what was found; answers what of it keeps the call or the result back. */
  #hold(
    name: string,
    watch: Watch,
    findings: readonly RuntimeFinding[],
    isLearned: boolean,
    said: Said[],
  ): readonly RuntimeFinding[] {
    const held = watch === "enforce" ? findings.filter(({ severity }) => holds(actionOf[severity])) : [];
    if (held.length > 0) said.push([name, "DENY"]);
    else {
      for (const { type } of findings) said.push([`${name}/${type}`, "SHADOW_DENY"]);
      if (findings.length === 0) said.push([name, isLearned ? "ALLOW" : "SKIP"]);
    }
    if (findings.length > 0) this.#behaviours.found(this.#place, findings, held.length > 0);
    return held;
  }

  /** Has its session read what may not leave, and does the call go where its tool never went? */
  #tainted(reach: Reach): { readonly type: string; readonly reason: string } | null {
    const { labels, settings } = this.#behaviours;
    const label = settings.chain_classes.find((one) => labels.has(this.#session, one));
    if (label === undefined) return null;
    const known = new Set(this.#profile().destinations);
    const isSender = effectsOfName(this.#place.tool).has("external");
    // A name without a dot is somebody's only where the tool sends.
    const isNew = (one: string): boolean =>
      !known.has(one) && !this.#allows(one) && (isSender || !one.startsWith("opaque:"));
    if (!reach.isCutShort && ![...reach.destinations].some(isNew)) return null;
    return label === "secrets"
      ? {
          type: "chain_secret_to_external_effect",
          reason: "a secret was read in this session, and this tool never went there",
        }
      : {
          type: "chain_sensitive_read_to_external_effect",
          reason: `${label} data was read in this session, and this tool never went there`,
        };
  }

  #allows(destination: string): boolean {
    const { server, tool } = this.#place;
    const at = destination.replace(/^(domain|mail):/, "");
    return this.#behaviours.settings.destinations.some(
      (one) =>
        one.server === server.server && (one.tool === undefined || one.tool === tool) && one.domains.includes(at),
    );
  }

  #profile(): ToolProfile {
    return this.#behaviours.profileOf(this.#place);
  }

  #terms() {
    const allows = (destination: string): boolean => this.#allows(destination);
    return { window: defaultWindow, now_ms: this.#behaviours.now_ms(), allows };
  }

  #learn(profile: ToolProfile): void {
    if (profile !== this.#profile()) this.#behaviours.learned(this.#place, profile);
  }
}

const observed = "the result is withheld, the effect is there already";
const nothingDone: EffectSeen = Object.freeze({ classes: new Set(), toCome: new Set() }) as EffectSeen;

/** A result that is no object stands under `result`. */
const deliveredIn = (args: WireObject): WireValue => {
  const names = Object.keys(args);
  return names.length === 1 && names[0] === "result" ? (args.result as WireValue) : args;
};

const isReader = (tool: string): boolean => {
  const effects = effectsOfName(tool);
  return effects.size === 1 && effects.has("read");
};

const labelOf = (kind: string): TaintClass | null => {
  if (kind.startsWith("secrets.")) return "secrets";
  if (kind.startsWith("pii.")) return "pii";
  return kind.startsWith("financial.") ? "financial" : null;
};

/** Where it goes stands in it, unless that is all that an argument says: then the operator's side alone has it. */
const reasonOf = (findings: readonly RuntimeFinding[], args: WireObject): string => {
  const whole = findings.map(({ type, reason }) => `${type}: ${reason}`).join("; ");
  return reasonLine(whole, args) === withheld ? findings.map(({ type }) => type).join(", ") : whole;
};

const denial = (code: ReasonCode, reason: string): Denial => ({ code, reason, policyId: null, attributedTo: null });
