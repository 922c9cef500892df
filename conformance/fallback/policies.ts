/** Payloads that the corpus decides by. */
const created = "2026-11-30T12:00:00.000Z";
const not_after = "2027-01-31T12:00:00.000Z";

export const payload = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ v: 1, id: "prod", version: 7, created, not_before: null, not_after, ...fields });

export const rule = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  id: "r",
  effect: "allow",
  actions: ["read_file"],
  ...fields,
});

export const policies: Readonly<Record<string, string>> = {
  work: payload({
    rules: [
      rule({ id: "reads", where: { path: { prefix: ["/srv/", "/opt/app/"] } }, only_arguments: ["path", "mode"] }),
      rule({ id: "search", actions: ["search.*"], principals: ["acme/*", "clerk"] }),
      rule({ id: "secrets", effect: "block", actions: ["*"], where: { path: { prefix: ["/srv/secrets/"] } } }),
      rule({ id: "readme", where: { path: { one_of: ["/README.md"] } } }),
    ],
  }),
  numbers: payload({
    rules: [
      rule({ id: "small", actions: ["pay"], where: { amount: { min: 0, max: 50, integer: true } } }),
      rule({ id: "ratio", actions: ["scale"], where: { by: { min: -0.5, max: 1.5 } } }),
      rule({ id: "low", actions: ["least"], where: { n: { min: 10 } } }),
      rule({ id: "high", actions: ["most"], where: { n: { max: 10 } } }),
      rule({ id: "large", effect: "block", actions: ["send"], where: { amount: { min: 100 } } }),
      rule({ id: "send", actions: ["send"] }),
    ],
  }),
  values: payload({
    rules: [
      rule({ id: "mode", actions: ["open"], where: { mode: { one_of: ["ro", "é", ""] } } }),
      rule({ id: "level", actions: ["set"], where: { level: { one_of: [1, 2.5] } } }),
      rule({ id: "flag", actions: ["flag"], where: { on: { one_of: [true] } } }),
      rule({ id: "mixed", actions: ["mixed"], where: { x: { one_of: [1, "1", false] } } }),
      rule({ id: "forced", effect: "block", actions: ["push"], where: { force: { one_of: [true] } } }),
      rule({ id: "push", actions: ["push"] }),
    ],
  }),
  nested: payload({
    rules: [
      rule({ id: "first", actions: ["first"], where: { "items.0.id": { one_of: ["a"] } } }),
      rule({ id: "every", actions: ["every"], where: { "items.*.id": { one_of: ["a", "b"] } } }),
      rule({ id: "deep", actions: ["deep"], where: { "a.b.c": { max: 3 } } }),
      rule({ id: "keys", actions: ["keys"], where: { "map.0": { one_of: ["zero"] } } }),
      rule({ id: "proto", actions: ["proto"], where: { "__proto__.x": { one_of: [1] } } }),
      rule({ id: "some", effect: "block", actions: ["some"], where: { "items.*.kind": { one_of: ["bad"] } } }),
      rule({ id: "rest", actions: ["some"] }),
      rule({ id: "none", actions: ["none"], only_arguments: [] }),
    ],
  }),
  phases: payload({
    rules: [
      rule({ id: "asked", actions: ["a"] }),
      rule({ id: "answered", actions: ["a", "b"], phase: "result" }),
      rule({ id: "either", actions: ["c"], phase: "both" }),
      rule({ id: "no-d", effect: "block", actions: ["d"], phase: "result" }),
      rule({ id: "d", actions: ["d"], phase: "both" }),
    ],
  }),
  who: payload({
    rules: [
      rule({ id: "not-guest", effect: "block", actions: ["a.*"], principals: ["guest", "guest/*"] }),
      rule({ id: "a", actions: ["a.*"], principals: ["acme", "acme/pay/*"] }),
      rule({ id: "open", actions: ["a.open"] }),
    ],
  }),
  order: payload({
    rules: [
      rule({ id: "yes", actions: ["x.*"] }),
      rule({ id: "yes-again", actions: ["x.y"] }),
      rule({ id: "no", effect: "block", actions: ["x.n", "x.n.*"] }),
      rule({ id: "no-again", effect: "block", actions: ["x.n"] }),
      rule({ id: "both", actions: ["z"], where: { a: { min: 1 }, b: { one_of: ["k"] } } }),
    ],
  }),
  relative: payload({
    rules: [
      rule({ id: "docs", where: { path: { prefix: ["docs/"] } } }),
      rule({ id: "root", actions: ["stat"], where: { path: { prefix: ["/"] } } }),
    ],
  }),
};
