import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { BlockedError, enforceToolCall, RemoteEngine } from "../../client-node/index.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place } from "../kit/place.ts";

const module = `import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
export default defineRules({
  id: "limited",
  version: 1,
  principals: { reader: { roles: ["readonly_agent"] } },
  tools: [
    defineTool({ name: "search", effect: "read", args: z.strictObject({ query: z.string() }) }),
    defineTool({ name: "delete_user", effect: "write", args: z.strictObject({ readOnlyHint: z.boolean() }), idempotency: { by: "off" } }),
  ],
  policies: [
    { id: "mail.recipients", tools: ["mail.send"], limit: { distinct: "to", max: 2, per: ["principal"], normalize: "casefold_trim", window_s: 3600 } },
    { id: "web.hosts", tools: ["http.*"], limit: { distinct: "destination", max: 3, per: ["principal"], window_s: 3600 } },
    { id: "loop", tools: ["git.*"], limit: { repeats: "same_call", max: 3, window_s: 3600 } },
    { id: "post.volume", tools: ["post"], limit: { volume: "arguments", max_bytes: 100, per: ["principal"], window_s: 3600 } },
    { id: "roles.read", tools: ["*"], who: { roles: ["readonly_agent"] }, not_effects: ["read"], then: "deny" },
  ],
});
`;

const secret = "s3cret.9f2c";

describe.each(deployments)("on %s", (_name, settings) => {
  const daemons: Daemon[] = [];
  const engines: RemoteEngine[] = [];
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
  });

  const serving = async (): Promise<Place> => {
    const place = await makePlace(module, `unknown: allow\n${await settings()}`);
    daemons.push(await startDaemon(place));
    return place;
  };
  const asking = (place: Place, principal = "agent") => {
    const engine = new RemoteEngine(place.socket, { timeout: 20, principal });
    engines.push(engine);
    return async (action: string, args: object): Promise<string> => {
      try {
        await enforceToolCall(action, args as never, { engine });
        return "runs";
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        return error.decision.details?.code ?? "blocked";
      }
    };
  };

  test("no more different recipients than a window allows, whoever asks at the same time", async () => {
    const place = await serving();
    const agents = [asking(place), asking(place), asking(place)];
    const asked = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const to = `a${n % 6}@x.example`;
        return { to, answer: await (agents[n % 3] as (typeof agents)[0])("mail.send", { to, n }) };
      }),
    );
    const ran = asked.filter(({ answer }) => answer === "runs");
    expect(new Set(ran.map(({ to }) => to)).size).toBe(2);
    expect(ran).toHaveLength(20);
    expect(new Set(asked.map(({ answer }) => answer))).toEqual(new Set(["runs", "limit_exceeded"]));
    const [known] = ran;
    const ask = asking(place);
    expect(await ask("mail.send", { to: ` ${known?.to.toUpperCase()} ` })).toBe("runs");
    expect(await ask("mail.send", { to: [known?.to, "new@x.example"] })).toBe("limit_exceeded");
    expect(await ask("mail.send", { to: { name: "somebody" } })).toBe("policy_denied");
    expect(await asking(place, "another")("mail.send", { to: "new@x.example" })).toBe("runs");
  });

  test("hosts, loops and bytes are limited over a restart too", async () => {
    const place = await serving();
    const ask = asking(place);
    for (const host of ["a", "b", "c"]) expect(await ask("http.get", { url: `https://${host}.example/` })).toBe("runs");
    for (let n = 0; n < 3; n++) expect(await ask("git.status", { path: "." })).toBe("runs");
    expect(await ask("post", { body: "x".repeat(80) })).toBe("runs");
    await daemons.pop()?.kill();
    daemons.push(await startDaemon(place));
    const again = asking(place);
    expect(await again("http.get", { nested: [{ url: "https://d.example/" }] })).toBe("limit_exceeded");
    expect(await again("http.get", { url: "https://A.example:8443/other" })).toBe("runs");
    expect(await again("http.get", { path: "no destination" })).toBe("runs");
    expect(await again("git.status", { path: "." })).toBe("limit_exceeded");
    expect(await again("git.status", { path: "./src" })).toBe("runs");
    expect(await again("post", { body: "x".repeat(20) })).toBe("limit_exceeded");
    expect(await again("post", { body: "x" })).toBe("runs");
  });
});

describe("a daemon", () => {
  let daemon: Daemon | null = null;
  afterEach(async () => {
    await daemon?.stop();
    daemon = null;
  });

  test("keeps no value of what it counts, says by its place what cannot be read, and knows effects by contracts alone", async () => {
    const place = await makePlace(module, "unknown: allow\n");
    daemon = await startDaemon(place);
    const ask = async (action: string, args: object, principal = "agent"): Promise<string> => {
      const engine = new RemoteEngine(place.socket, { timeout: 20, principal });
      try {
        await enforceToolCall(action, args as never, { engine });
        return "runs";
      } catch (error) {
        return (error as BlockedError).message;
      } finally {
        await engine.close();
      }
    };
    expect(await ask("mail.send", { to: `${secret}@x.example` })).toBe("runs");
    expect(await ask("git.log", { headers: { Authorization: `Bearer ${secret}` } })).toBe("runs");
    expect(await ask("http.get", { url: `https://${secret}.example/${secret}` })).toBe("runs");
    const unreadable = await ask("mail.send", { to: { [secret]: secret } });
    expect(unreadable).toContain("policy mail.recipients cannot judge the call: to is not a text");
    const denied = [
      ...["get_secrets", "budget_transfer", "research_and_publish"].map((action) =>
        ask(action, { q: secret }, "reader"),
      ),
      ask("delete_user", { readOnlyHint: true }, "reader"),
    ];
    for (const answer of await Promise.all(denied)) expect(answer).toContain("denied by policy roles.read");
    expect(await ask("search", { query: "brunch" }, "reader")).toBe("runs");
    expect(unreadable).not.toContain(secret);
    await daemon.stop();
    const files = readdirSync(place.state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name), "latin1").toLowerCase()).not.toContain(secret);
    const said = (await receiptsOf(place)).map((receipt) => JSON.stringify(receipt)).join();
    expect(said).toContain("mail.recipients");
    expect(said).not.toContain(secret);
    expect((await interlock(place, ["receipts", "verify"])).code).toBe(0);
  });
});
