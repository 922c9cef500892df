import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { scripted } from "../../client-node/testing/asking.ts";
import { judging } from "../../client-node/testing/scripted-daemon.ts";
import { program } from "../../test/kit/programs.ts";
import { endAll, play, startMcp } from "./testing/host.ts";
import type { Json } from "./testing/line-peer.ts";
import { everything, filesystem, memory, type Session, sequentialThinking } from "./testing/sessions.ts";

const directory = mkdtempSync(join(tmpdir(), "il-mcp-"));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const direct = ({ server, args, env }: Session) => startMcp([server, ...args], env);
const proxied = ({ server, args, env }: Session, socket: string) =>
  startMcp([program("interlock"), "mcp", "--socket", socket, "--", process.execPath, server, ...args], env);

describe("a recorded session of every method is the same with the proxy and without", () => {
  const sessions: readonly (readonly [string, Session])[] = [
    ["everything", everything()],
    ["filesystem", filesystem(join(directory, "files"))],
    ["memory", memory(join(directory, "memory.jsonl"))],
    ["sequential-thinking", sequentialThinking()],
  ];
  for (const [name, session] of sessions) {
    test(name, async () => {
      const events: Json[] = [];
      const daemon = await scripted(
        judging((event) => {
          events.push(event);
          return {};
        }),
      );
      session.prepare();
      const bare = await play(direct(session), session);
      session.prepare();
      const guarded = await play(proxied(session, daemon.path), session);
      expect(guarded.answers).toEqual(bare.answers);
      expect(guarded.others).toEqual(bare.others);
      const called = session.steps.filter(([method]) => method === "tools/call");
      const asked = events.filter(({ phase, action }) => phase === "call" && !action.startsWith("mcp."));
      expect(asked.map(({ action }) => action)).toEqual(called.map(([, params]) => (params as Json).name));
    });
  }
});
