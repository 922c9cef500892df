import { PassThrough } from "node:stream";
import { Decision } from "../../../client-node/decision.ts";
import type { UncheckedEvent } from "../../../client-node/sensor-event.ts";
import { namedServer } from "../../../client-node/surface/surface-keeper.ts";
import { type RecordingEngine, recordingEngine } from "../../../client-node/testing/recording-engine.ts";
import type { SurfaceBody } from "../../../wire/surface-body.ts";
import { GuardJudge } from "../guard/guard-judge.ts";
import type { GuardSettings } from "../guard/guard-settings.ts";
import { Notices } from "../relay/notices.ts";
import { Relay } from "../relay/relay.ts";
import { LineChannel } from "../stdio/line-channel.ts";
import { LinePeer } from "./line-peer.ts";

export interface Relayed {
  readonly host: LinePeer;
  readonly server: LinePeer;
  readonly relay: Relay;
  readonly engine: RecordingEngine;
  /** What the person at the host's log was told. */
  readonly told: string[];
}

type Judgement = (event: UncheckedEvent) => Decision | Promise<Decision>;

/** What the daemon answers to a listing. */
type See = (body: SurfaceBody) => Decision | null;

/** A relay in this process, with a test at either end and an engine that answers what `judge` says. */
export const relayed = async (
  judge: Judgement = () => Decision.allow(),
  settings: Partial<GuardSettings> = {},
  see: See | null = null,
) => {
  const engine = {
    ...recordingEngine(judge),
    ...(see === null ? {} : { surface: async (body: SurfaceBody) => see(body) }),
  };
  const told: string[] = [];
  const notices = new Notices((line) => told.push(line));
  const [hostIn, hostOut, serverIn, serverOut] = [0, 1, 2, 3].map(() => new PassThrough()) as [
    PassThrough,
    PassThrough,
    PassThrough,
    PassThrough,
  ];
  const guard = new GuardJudge(
    { named: namedServer("test", null), identity: async () => null, engine, ...settings },
    notices,
  );
  const relay = new Relay(new LineChannel(hostIn, hostOut), new LineChannel(serverOut, serverIn), guard, notices);
  await relay.open();
  const host = new LinePeer(hostOut, hostIn);
  const server = new LinePeer(serverIn, serverOut);
  return { host, server, relay, engine, told } satisfies Relayed;
};

export const request = (id: string | number, method: string, params?: object): object => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

export const answer = (id: string | number, result: object): object => ({ jsonrpc: "2.0", id, result });

export const notification = (method: string, params?: object): object => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
});

/** Answers as a tool does. */
export const text = (words: string): object => ({ content: [{ type: "text", text: words }] });
