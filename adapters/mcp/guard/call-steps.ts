import type { EnforceOptions } from "../../../client-node/guard-options.ts";
import { type CallSteps, guardedCall } from "../../../client-node/guarded-call.ts";
import type { Permit } from "../../../client-node/permit.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { Unreadable } from "../relay/cut-short.ts";
import type { Answer, Exchange } from "../relay/exchange.ts";
import { isObject, made, type RequestMessage, type ResponseMessage } from "../relay/message.ts";
import { refuse } from "../relay/refusal.ts";
import type { Sides } from "../relay/relay.ts";
import { RpcError } from "../relay/rpc-error.ts";
import { judgedResult } from "./judged-result.ts";

/** One guarded request: what it is judged as, and how what may run becomes its params. */
export interface GuardedRequest {
  readonly action: string;
  readonly args: JsonObject | undefined;
  readonly paramsWith: (args: JsonObject) => JsonObject;
  readonly permit?: (() => Promise<Permit>) | undefined;
}

/**
 * A request of the host's under the guard: judged, given to the server as it may run, and its answer judged. An error of the server's is
 * judged too, since its words reach the model like a result's.
 *
 * @throws BlockedError, RpcError, CutShort
 */
export const guardedRequest = async (
  guarded: GuardedRequest,
  exchange: Exchange,
  { server }: Sides,
  enforce: EnforceOptions,
): Promise<Answer> => {
  const { action, args, permit } = guarded;
  let response: ResponseMessage | null = null;
  const steps: CallSteps<RequestMessage> = {
    ...(permit === undefined ? {} : { permit }),
    prepare: (safe) => prepared(exchange.request, guarded, safe as JsonObject),
    run: async (request) => {
      response = await readable(action, server.forward(exchange, request));
      if (response.outcome.kind === "error") throw new RpcError(response.outcome.error);
      return response.outcome.result;
    },
    // Only the server's own word tells that the call failed.
    isCutShort: (error) => !(error instanceof RpcError),
    hasFailed: (result) => isObject(result) && (result.isError === true || result.resultType === "input_required"),
    deliver: (result) => judgedResult(action, result as JsonValue, bytesOf(response), enforce),
    replayed: withReplayMark,
  };
  try {
    const result = (await guardedCall(action, args, enforce, steps)) as JsonValue;
    return unchanged(response, result) ?? { kind: "result", result };
  } catch (error) {
    if (!(error instanceof RpcError) || response === null) throw error;
    return judgedError(action, error, response, enforce);
  }
};

const judgedError = async (
  action: string,
  error: RpcError,
  response: ResponseMessage,
  enforce: EnforceOptions,
): Promise<Answer> => {
  const view = { error: error.json };
  const judged = await judgedResult(action, view, response.bytes, enforce);
  if (judged === view) return { kind: "unchanged", response };
  throw new RpcError(isObject(judged) && isObject(judged.error) ? judged.error : { code: error.code, message: "" });
};

/** What cannot be read was answered all the same: the call may have run. */
const readable = async (action: string, answer: Promise<ResponseMessage>): Promise<ResponseMessage> => {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw refuse(action, "not_a_message", `the server's answer is not passed on: ${error.problem.message}`);
  }
};

/** The request as it came where nothing was rewritten, so that the server sees what it would without a relay. */
const prepared = (request: RequestMessage, { args, paramsWith }: GuardedRequest, safe: JsonObject): RequestMessage => {
  if (isSame(args ?? {}, safe)) return request;
  return made({ ...request.json, params: paramsWith(safe) }) as RequestMessage;
};

const isSame = (one: JsonObject, other: JsonObject): boolean => {
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key])
  );
};

const bytesOf = (response: ResponseMessage | null): number => response?.bytes ?? 0;

export const unchanged = (response: ResponseMessage | null, result: unknown): Answer | null =>
  response !== null && response.outcome.kind === "result" && response.outcome.result === result
    ? { kind: "unchanged", response }
    : null;

/** MCP keeps `_meta` for what is said about a result beside it. */
const withReplayMark = (result: unknown, transactionId: string): unknown =>
  isObject(result)
    ? { ...result, _meta: { ...(isObject(result._meta) ? result._meta : {}), "interlock/replayed": transactionId } }
    : result;
