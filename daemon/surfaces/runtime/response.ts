import { personalIn } from "../../../rules/packs/pii/find.ts";
import { detectorOf } from "../../../rules/packs/pii/kinds.ts";
import { secretsIn } from "../../../rules/packs/secrets/find.ts";
import { textsOf } from "../../../rules/scan/texts.ts";
import type { WireValue } from "../../../wire/value.ts";
import type { RuntimeFinding } from "./finding.ts";

/** What one result holds, without any of it. */
export interface ResponseShape {
  /** `secrets.<class>`, `pii.email`, `pii.ssn`, `financial.card`, `financial.iban`. */
  readonly classes: ReadonlySet<string>;
  /** UTF-16 units of all its texts. */
  readonly characters: number;
  /** Items of its longest list. */
  readonly items: number;
  /** Prose, a file or a page rather than fields: what it holds is up to what was asked for. */
  readonly isProse: boolean;
}

export interface ResponseProfile {
  readonly classes: ReadonlySet<string>;
  readonly maxCharacters: number;
  readonly maxItems: number;
  /** Results are prose: a class of data that comes up in one is told and not withheld. */
  readonly isOpen: boolean;
}

const personal = detectorOf(["email", "ssn", "credit_card", "iban"], () => false);
const classOf: Readonly<Record<string, string>> = {
  email: "pii.email",
  ssn: "pii.ssn",
  credit_card: "financial.card",
  iban: "financial.iban",
};

const smallItems = 50;
const largeItems = 500;
const smallCharacters = 50_000;
const minProseCharacters = 200;

export const responseShape = (result: WireValue): ResponseShape => {
  const { texts, characters, isCutShort } = textsOf(result);
  const classes = new Set<string>();
  for (const found of secretsIn(result, "result")) classes.add(`secrets.${found.class}`);
  for (const found of personalIn(result, "result", personal)) classes.add(classOf[found.class] ?? `pii.${found.class}`);
  return {
    classes,
    characters: isCutShort ? Number.MAX_SAFE_INTEGER : characters,
    items: longestList(result, 0),
    isProse: texts.some(
      ({ kind, text }) => kind === "value" && text.length >= minProseCharacters && !looksLikeJson(text),
    ),
  };
};

const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text.slice(0, 64));

const maxDepth = 8;

/** The list of content items counts: a result of two thousand of them is as long as any other. */
const longestList = (value: WireValue, depth: number): number => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  let most = Array.isArray(value) ? value.length : 0;
  for (const item of inner.slice(0, 1_000)) most = Math.max(most, longestList(item as WireValue, depth + 1));
  return most;
};

export const responseDrift = (profile: ResponseProfile, shape: ResponseShape): readonly RuntimeFinding[] => {
  const added = [...shape.classes].filter((kind) => !profile.classes.has(kind)).sort();
  const findings: RuntimeFinding[] = [];
  const secrets = added.filter((kind) => kind.startsWith("secrets."));
  const others = added.filter((kind) => !kind.startsWith("secrets."));
  if (secrets.length > 0) {
    findings.push({
      type: "response_secret_added",
      severity: profile.isOpen ? "moderate" : "critical",
      reason: `results of this tool never held this before: ${secrets.join(", ")}`,
    });
  }
  if (others.length > 0) {
    findings.push({
      type: "response_data_class_added",
      severity: profile.isOpen ? "moderate" : "high",
      reason: `results of this tool never held this before: ${others.join(", ")}`,
    });
  }
  const isLonger = profile.maxItems <= smallItems && shape.items > largeItems;
  const isLarger = profile.maxCharacters <= smallCharacters && shape.characters > smallCharacters;
  if (isLonger || isLarger) {
    findings.push({
      type: "response_volume_expanded",
      severity: "moderate",
      reason: isLonger
        ? `more than ${largeItems} items where there were at most ${smallItems}`
        : `more than ${smallCharacters} characters where there were fewer`,
    });
  }
  return findings;
};
