import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { httpMembers, isConstant, netMembers, outOfScope } from "./members.ts";

const load = createRequire(import.meta.url);
const guarded = new Set([...httpMembers, ...netMembers]);

describe("every member of the network modules", () => {
  it.each(["net", "tls", "http", "https", "http2", "dgram", "dns", "dns/promises"])(
    "%s: is guarded or out of scope",
    (module) => {
      const prefix = module.replace("/", ".");
      const names = Object.getOwnPropertyNames(load(`node:${module}`));
      const unlisted = names
        .map((name) => `${prefix}.${name}`)
        .filter((name) => !guarded.has(name) && !Object.hasOwn(outOfScope, name))
        .filter((name) => !(prefix.startsWith("dns") && isConstant(name.slice(prefix.length + 1))));
      expect(unlisted).toEqual([]);
    },
  );

  it("is in one of the two lists only", () => {
    expect(Object.keys(outOfScope).filter((name) => guarded.has(name))).toEqual([]);
  });

  it("a global that opens connections is guarded", () => {
    const clients = Object.getOwnPropertyNames(globalThis).filter((name) =>
      /fetch|socket|eventsource|http/i.test(name),
    );
    expect(clients.filter((name) => !guarded.has(`globalThis.${name}`))).toEqual([]);
  });
});
