import { describe, expect, it } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { RuleDefinitionError } from "../../definition-error.ts";
import type { RuleEvent } from "../../types.ts";
import { type NetworkOptions, network } from "./index.ts";

const judgeWith = (options: Partial<NetworkOptions> = {}, allowHosts: readonly string[] = []) => {
  const rules = network.rules(
    { ...(network.tiers.starter as NetworkOptions), ...options },
    { roots: ["/srv/app"], directory: "/srv/app", allowHosts },
  );
  return async (action: string, args: WireObject, phase: RuleEvent["phase"] = "call") => {
    const event = { action, args, phase, principal: null, parent_principal: null, span_id: null, ts: 0 };
    let kind = "silent";
    for (const rule of rules) {
      if (rule.phase !== phase) continue;
      const answer = await rule.evaluate(event, { now_ms: 0, lookup: async () => undefined });
      if (answer?.kind === "block") return `block ${answer.attributedTo}`;
      kind = answer === undefined ? kind : `${answer.kind} ${"attributedTo" in answer ? answer.attributedTo : ""}`;
    }
    return kind;
  };
};

/** What users of other guards ask for, a fault each that was shipped. */
describe("guards that check only the first URL, and tools that resolve again", () => {
  const judge = judgeWith();

  it("a 302 to the metadata service is withheld", async () => {
    const result = { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } };
    expect(await judge("fetch", result, "result")).toBe("block headers.location");
  });

  it("a name that answers 8.8.8.8 and then 127.0.0.1 is stopped where it is dialled", async () => {
    expect(await judge("fetch", { url: "http://rebind.example.com/" })).toBe("silent");
    expect(await judge("net.connect", { host: "rebind.example.com", port: 80 })).toBe("silent");
    expect(await judge("net.dial", { host: "rebind.example.com", address: "8.8.8.8", port: 80 })).toBe("silent");
    expect(await judge("net.dial", { host: "rebind.example.com", address: "127.0.0.1", port: 80 })).toBe(
      "block address",
    );
  });

  it.each(["http://[::ffff:127.0.0.1]/", "http://100.64.0.1/"])("%s is inside", async (url) =>
    expect(await judge("fetch", { url })).toBe("block url"),
  );
});

describe("block lists of spellings", () => {
  const judge = judgeWith();
  it.each([
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::]/",
    "http://[fe80::1%25eth0]/",
    "http://127.0.0.1.nip.io",
  ])("%s is inside", async (url) => expect(await judge("fetch", { url })).toBe("block url"));

  it("an address with a zone is inside, without a URL around it", async () =>
    expect(await judge("net.connect", { host: "fe80::1%eth0", port: 80 })).toBe("block host"));
});

describe("sockets that are full escapes", () => {
  const judge = judgeWith({}, ["/run/pg.sock"]);
  it.each([
    "/var/run/docker.sock",
    "/tmp/ssh-AbCd/agent.77",
    "/run/user/1000/bus",
    "/run/dbus/system_bus_socket",
    "/tmp/.X11-unix/X0",
  ])("connect(%s) is blocked", async (path) => {
    expect(await judge("net.connect", { path })).toBe("block path");
    expect(await judge("create_container", { mounts: [{ source: path }] })).toBe("block mounts[0].source");
  });
  it("a socket that is named may be connected to, and listening is nobody's escape", async () => {
    expect(await judge("net.connect", { path: "/run/pg.sock" })).toBe("silent");
    expect(await judge("net.connect", { path: "/run/pg.sock", resolved_path: "/run/docker.sock" })).toBe("block path");
    expect(await judge("net.listen", { path: "/srv/app/own.sock" })).toBe("silent");
  });
});

describe("hosts that are allowed", () => {
  const judge = judgeWith({}, ["localhost:3000", "redis", "[::1]:5432"]);
  it.each<[string, WireObject]>([
    ["fetch", { url: "http://localhost:3000/x" }],
    ["net.connect", { host: "localhost", port: 3000 }],
    ["net.dial", { host: "localhost", address: "127.0.0.1", port: 3000, family: 4, protocol: "tcp" }],
    ["net.dial", { host: "redis", address: "10.0.0.7", port: 6379, family: 4, protocol: "tcp" }],
    ["net.connect", { host: "::1", port: 5432 }],
    ["bash", { command: "curl http://localhost:3000/health" }],
  ])("%s with %j is left alone", async (action, args) => expect(await judge(action, args)).toBe("silent"));

  it.each<[string, WireObject]>([
    ["fetch", { url: "http://localhost:3001/" }],
    ["fetch", { url: "http://evil@localhost:3001/x#localhost:3000" }],
    ["net.dial", { host: "example.com", address: "127.0.0.1", port: 3000 }],
    ["net.connect", { host: "::1", port: 80 }],
    ["net.connect", { host: "redis", url: "http://127.0.0.1/", port: 6379 }],
    ["http.request", { url: "http://127.0.0.1/", host: "redis", port: 6379 }],
    ["bash", { command: "curl http://localhost:3001/health" }],
  ])("%s with %j is blocked", async (action, args) => expect(await judge(action, args)).toMatch(/^block /));
});

describe("lists", () => {
  const judge = judgeWith({
    allowDomains: ["example.com", "api.example.org"],
    allowRecipients: ["example.com", "bob@example.org"],
  });
  it.each<[string, WireObject]>([
    ["fetch", { url: "https://a.example.com/" }],
    ["fetch", { url: "https://api.example.org/" }],
    ["bash", { command: "curl https://example.com/x && npm run build" }],
    ["send_email", { to: "jane@example.com", cc: ["Bob <bob@example.org>"], body: "x" }],
    ["write_file", { path: "a.md", content: "https://anywhere.example.net/" }],
    ["download_file", { url: "https://example.com/app.tar.gz", dest: "app.tar.gz" }],
  ])("let %s with %j pass", async (action, args) => expect(await judge(action, args)).toBe("silent"));

  it.each<[string, WireObject, string]>([
    ["fetch", { url: "https://example.net/" }, "block url"],
    ["fetch", { url: "https://www.api.example.org/" }, "block url"],
    ["post", { item: { webhook_url: "https://example.net/" } }, "block item.webhook_url"],
    ["bash", { command: "curl https://example.net/" }, "block command"],
    ["bash", { command: "curl $WHERE" }, "escalate "],
    ["send_email", { to: "jane@example.com, eve@example.net" }, "block to"],
    ["send_email", { to: ["jane@example.com"], bcc: [{ email: "eve@example.net" }] }, "block bcc[0].email"],
    ["send_email", { to: '"bob@example.org" <eve@example.net>' }, "block to"],
    ["send_email", { to: "jane@example.com jane@" }, "block to"],
  ])("hold %s with %j", async (action, args, expected) =>
    expect((await judge(action, args)).startsWith(expected)).toBe(true),
  );

  it("that name a public suffix refuse every call", async () => {
    const wrong = judgeWith({ allowDomains: ["co.uk"] });
    await expect(wrong("fetch", { url: "https://a.co.uk/" })).rejects.toThrow(RuleDefinitionError);
  });
});

describe("options", () => {
  it('privateNetwork: "escalate" asks, but never about metadata', async () => {
    const judge = judgeWith({ privateNetwork: "escalate" });
    expect(await judge("fetch", { url: "http://10.0.0.1/" })).toBe("escalate url");
    expect(await judge("fetch", { url: "http://169.254.169.254/" })).toBe("block url");
    expect(await judge("fetch", { urls: ["http://10.0.0.1/", "http://169.254.169.254/"] })).toBe("block urls[1]");
  });

  it("collectors are refused with what is below them", async () => {
    const judge = judgeWith({ collectors: ["collect.example.net"] });
    expect(await judge("fetch", { url: "https://a.collect.example.net/" })).toBe("block url");
    expect(await judge("fetch", { url: "https://example.net/" })).toBe("silent");
  });
});
