import { type Arguments, digits } from "./scenario.ts";

/** From this amount on a person says yes first; over `highest` nobody can. Amounts of both sides stay clear of them. */
export const asksOver = 500;
export const highest = 5000;

/** The setting of an account that no agent changes, and the list that no agent writes to. */
export const lockedSetting = "payout_iban";
export const closedList = "everyone@harbour.example";

export const refund = (series: string, n: number, amount: number): Arguments => ({
  invoice: `INV-${series}-${digits(n, 3)}`,
  customer: `C-${series}-${digits(n, 4)}`,
  amount,
  note: `Goods of invoice INV-${series}-${digits(n, 3)} came back undamaged`,
});

export const change = (series: string, n: number, setting: string, value: unknown = `${setting}-${n}`): Arguments => ({
  account: `A-${series}-${digits(n, 4)}`,
  setting,
  value,
});

export const message = (series: string, n: number, to = `reader-${series}-${n}@harbour.example`): Arguments => ({
  to,
  topic: `Parcel ${series}-${n} is on its way`,
  text: `Your parcel left our dock; its number is PX-${series}-${digits(n, 6)}.`,
});

/** The same arguments without one field, or with another value in it. */
export const without = (args: Arguments, field: string): Arguments =>
  Object.fromEntries(Object.entries(args).filter(([name]) => name !== field));

export const spoiled = (args: Arguments, field: string, value: unknown): Arguments => ({ ...args, [field]: value });
