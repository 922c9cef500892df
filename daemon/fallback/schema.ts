import * as z from "zod";

/** A policy as somebody writes it: days instead of milliseconds, and no form's version. What a rule may say is judged where clients read it. */
export const sourceSchema = z.strictObject({
  /** Names the policy: a client that used one takes no other. */
  id: z.string(),
  /** To be raised with every change. */
  version: z.number(),
  /** When clients may begin to use it: a day (its beginning, UTC) or a time. Default: once it is signed. */
  not_before: z.string().nullish(),
  /** When they no longer may. */
  not_after: z.string(),
  rules: z.array(z.record(z.string(), z.unknown())),
});

export type PolicySource = z.infer<typeof sourceSchema>;
