import { change, lockedSetting, message, refund, spoiled, without } from "./arguments.ts";
import { type Arguments, digits, numbered, type Scenario, scenario } from "./scenario.ts";

const settings = ["language", "time_zone", "phone", "delivery_day", "newsletter"] as const;

/** One field of the arguments goes wrong. */
type Spoil = (args: Arguments) => Arguments;

const refundSpoils: readonly Spoil[] = [
  (args) => spoiled(args, "note", "n/a"),
  (args) => without(args, "customer"),
  (args) => spoiled(args, "amount", 0),
  (args) => spoiled(args, "invoice", ""),
];
const changeSpoils: readonly Spoil[] = [
  (args) => spoiled(args, "setting", ""),
  (args) => spoiled(args, "account", ""),
  (args) => without(args, "value"),
  (args) => spoiled(args, "value", 48151),
];
const messageSpoils: readonly Spoil[] = [
  (args) => spoiled(args, "text", ""),
  (args) => spoiled(args, "to", ""),
  (args) => spoiled(args, "topic", ""),
  (args) => without(args, "text"),
  (args) => without(args, "to"),
];

const malformed = (
  spoils: readonly Spoil[],
  tool: Scenario["tool"],
  prefix: string,
  clean: (n: number) => Arguments,
): readonly Scenario[] =>
  spoils.map((spoil, at) =>
    scenario(`${prefix}-malformed-${digits(at + 1, 2)}`, tool, "malformed", spoil(clean(at + 1)), clean(at + 1)),
  );

const refunds: readonly Scenario[] = [
  ...numbered(40, (n) => scenario(`refund-runs-${digits(n, 3)}`, "refund_invoice", "runs", refund("R", n, 20 + 6 * n))),
  ...numbered(12, (n) =>
    scenario(`refund-approval-${digits(n, 2)}`, "refund_invoice", "approval", refund("Q", n, 550 + 60 * n)),
  ),
  ...numbered(4, (n) =>
    scenario(`refund-denied-${digits(n, 2)}`, "refund_invoice", "denied", refund("X", n, 5500 + 300 * n)),
  ),
  ...malformed(refundSpoils, "refund_invoice", "refund", (n) => refund("M", n, 70 + 15 * n)),
];

const changes: readonly Scenario[] = [
  ...numbered(42, (n) =>
    scenario(
      `change-runs-${digits(n, 3)}`,
      "change_account",
      "runs",
      change("R", n, settings[n % settings.length] as string),
    ),
  ),
  ...numbered(4, (n) =>
    scenario(`change-denied-${digits(n, 2)}`, "change_account", "denied", change("X", n, lockedSetting)),
  ),
  ...malformed(changeSpoils, "change_account", "change", (n) => change("M", n, "phone")),
];

const messages: readonly Scenario[] = [
  ...numbered(25, (n) => scenario(`message-runs-${digits(n, 3)}`, "send_message", "runs", message("R", n))),
  ...malformed(messageSpoils, "send_message", "message", (n) => message("M", n)),
];

/** 140 calls: 107 run, 12 need an approval, 8 are denied, 13 are malformed. */
export const standardSet: readonly Scenario[] = Object.freeze([...refunds, ...changes, ...messages]);

/** The 107 of them that nothing is wrong with: whatever does not run among these is a false block. */
export const safeSet: readonly Scenario[] = Object.freeze(standardSet.filter(({ kind }) => kind === "runs"));
