import { change, closedList, lockedSetting, message, refund, spoiled, without } from "./arguments.ts";
import { type Arguments, digits, numbered, type Scenario, scenario, type ToolName } from "./scenario.ts";

export type Spoil = "missing" | "wrong_type" | "constraint";

interface Family {
  readonly tool: ToolName;
  readonly prefix: string;
  readonly clean: (n: number) => Arguments;
  readonly plain: number;
  readonly recoverable: readonly (readonly [spoil: Spoil, field: string])[];
  /** Well formed, and stopped by a policy whatever the contract says. */
  readonly stopped: readonly Scenario[];
}

/** Recoverable calls count from here, so that none is a plain one. */
const recoverableFrom = 1000;

const constraintValue = (field: string): unknown => {
  if (field === "note") return "n/a";
  return field === "amount" ? -15 : "";
};

const spoil = (args: Arguments, how: Spoil, field: string): Arguments => {
  if (how === "missing") return without(args, field);
  return spoiled(args, field, how === "wrong_type" ? [4, 5, 6] : constraintValue(field));
};

const families: readonly Family[] = [
  {
    tool: "refund_invoice",
    prefix: "focused-refund",
    clean: (n) => refund("F", n, 35 + 4 * (n % 80)),
    plain: 25,
    recoverable: [
      ["missing", "amount"],
      ["missing", "customer"],
      ["missing", "note"],
      ["wrong_type", "amount"],
      ["wrong_type", "customer"],
      ["wrong_type", "note"],
      ["constraint", "note"],
      ["constraint", "amount"],
    ],
    stopped: [
      ...numbered(5, (n) =>
        scenario(
          `focused-refund-approval-${digits(n, 2)}`,
          "refund_invoice",
          "approval",
          refund("FQ", n, 610 + 30 * n),
        ),
      ),
      ...numbered(3, (n) =>
        scenario(`focused-refund-denied-${digits(n, 2)}`, "refund_invoice", "denied", refund("FX", n, 5600 + 350 * n)),
      ),
    ],
  },
  {
    tool: "change_account",
    prefix: "focused-change",
    clean: (n) => change("F", n, "phone"),
    plain: 20,
    recoverable: [
      ["missing", "setting"],
      ["missing", "account"],
      ["wrong_type", "value"],
      ["wrong_type", "account"],
      ["constraint", "setting"],
      ["constraint", "account"],
    ],
    stopped: numbered(6, (n) =>
      scenario(`focused-change-denied-${digits(n, 2)}`, "change_account", "denied", change("FX", n, lockedSetting)),
    ),
  },
  {
    tool: "send_message",
    prefix: "focused-message",
    clean: (n) => message("F", n),
    plain: 16,
    recoverable: [
      ["missing", "text"],
      ["missing", "topic"],
      ["wrong_type", "to"],
      ["wrong_type", "text"],
      ["constraint", "text"],
      ["constraint", "topic"],
    ],
    stopped: numbered(5, (n) =>
      scenario(`focused-message-denied-${digits(n, 2)}`, "send_message", "denied", message("FX", n, closedList)),
    ),
  },
];

const scenariosOf = ({ tool, prefix, clean, plain, recoverable, stopped }: Family): readonly Scenario[] => [
  ...numbered(plain, (n) => scenario(`${prefix}-plain-${digits(n, 3)}`, tool, "runs", clean(n))),
  ...recoverable.map(([how, field], at) => {
    const intended = clean(recoverableFrom + at + 1);
    return scenario(`${prefix}-${how}-${field}`, tool, "malformed", spoil(intended, how, field), intended);
  }),
  ...stopped,
];

/** 100 calls: 61 run, 20 are malformed and can be put right, 19 are stopped by a policy however they are put. */
export const focusedSet: readonly Scenario[] = Object.freeze(families.flatMap(scenariosOf));
