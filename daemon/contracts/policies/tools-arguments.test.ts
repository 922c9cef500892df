import { describe, expect, it } from "vitest";
import { parseDataFile } from "../../rulesets/yaml/read-data-file.ts";

const tools = `
id: a
version: 1
tools:
  - name: refund
    effect: write
    args:
      order: { type: string }
      amount: { type: number }
      lines: { type: array, optional: true, items: { type: object, fields: { price: { type: number } } } }
  - { name: wire, effect: write, args: { sum: { type: number } } }
policies:
`;
const read = (policy: string) => () => parseDataFile(`${tools}  - { id: p, ${policy} }\n`, "p.yaml", "entry");

describe("a policy about tools that have contracts beside it is refused with", () => {
  it.each([
    [
      "a condition on no argument",
      "tools: [refund], then: deny, when: { amuont: { gt: 5 } }",
      "p.yaml:13:51: policies.0.when.amuont: refund has no such argument; it has order, amount, lines",
    ],
    [
      "one that would be about no call",
      "tools: [refund], then: deny, when: { amuont: { gt: 5, missing: no_match } }",
      "policies.0.when.amuont: refund has no such argument",
    ],
    [
      "one that denies every call of one tool",
      "tools: [refund, wire], then: deny, when: { amount: { gt: 5 } }",
      "policies.0.when.amount: wire has no such argument; it has sum",
    ],
    [
      "a list that is read as an object",
      "tools: [refund], then: deny, when: { lines.price: { gt: 5 } }",
      "policies.0.when.lines.price: refund has no such argument",
    ],
    [
      "a threshold on a text",
      "tools: [refund], then: deny, when: { order: { gt: 5 } }",
      "policies.0.when.order.gt: order of refund is of type string; this reads number or integer",
    ],
    [
      "different values of no argument",
      "tools: [refund], limit: { distinct: ordre, max: 5, window_s: 60 }",
      "policies.0.limit.distinct: refund has no such argument",
    ],
    [
      "bytes of no argument",
      "tools: [refund], limit: { volume: bdy, max_bytes: 5, window_s: 60 }",
      "policies.0.limit.volume: refund has no such argument",
    ],
    [
      "a pattern on a number",
      "tools: [refund], then: deny, when: { amount: { pattern: a } }",
      "policies.0.when.amount.pattern: amount of refund is of type number; this reads string",
    ],
    [
      "a text that no number equals",
      "tools: [refund], then: deny, when: { amount: { eq: '500' } }",
      "policies.0.when.amount.eq: amount of refund is of type number; this reads string",
    ],
    [
      "a number among texts",
      "tools: [refund], then: deny, when: { order: { in: [a, 5] } }",
      "policies.0.when.order.in.1: order of refund is of type string; this reads number or integer",
    ],
    [
      "a list that equals a text",
      "tools: [refund], then: deny, when: { lines: { ne: a } }",
      "policies.0.when.lines.ne: lines of refund is of type array; this reads string",
    ],
    [
      "a sum of texts",
      "tools: [refund], limit: { sum: order, max: 5, window_s: 60 }",
      "policies.0.limit.sum: order of refund is of type string",
    ],
    [
      "a limit per no argument",
      "tools: [refund], limit: { count: calls, max: 5, window_s: 60, per: [principal, args.customer] }",
      "policies.0.limit.per.1: refund has no such argument",
    ],
    [
      "a shape of no argument",
      "tools: [refund], then: require_approval, approval: { scopes: [once, { shape: [order, ordr] }] }",
      "policies.0.approval.scopes.1.shape.1: refund has no such argument",
    ],
    [
      "an example with no such argument",
      "tools: [refund], then: deny, when: { amount: { gt: 5 } }, examples: [{ args: { amuont: 6 }, expect: deny }]",
      "policies.0.examples.0.args.amuont: refund has no such argument",
    ],
  ])("%s", (_what, policy, message) => {
    expect(read(policy)).toThrowError(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  it.each([
    ["elements of a list", "tools: [refund], then: deny, when: { 'lines[].price': { gt: 5 } }"],
    ["an argument of some tools", "tools: [refund, wire], then: deny, when: { sum: { gt: 5, missing: no_match } }"],
    ["tools without a contract here", "tools: [refund, pay], then: deny, when: { x: { gt: 5, missing: no_match } }"],
    ["a tool that is left out", "tools: [refund, wire], except: [refund], then: deny, when: { sum: { gt: 5 } }"],
    ["null, which any may be", "tools: [refund], then: deny, when: { order: { eq: null }, amount: { in: [1, null] } }"],
    ["tools of a pattern", "tools: ['*'], then: deny, when: { to: { eq: a } }"],
  ])("nothing, where it reads %s", (_what, policy) => {
    expect(read(policy)).not.toThrow();
  });
});
