import { BlockedError, NotApprovedError } from "../../../client-node/blocked-error.ts";
import { newCallId } from "../../../client-node/call-id.ts";
import { enforceToolResult } from "../../../client-node/enforce-result.ts";
import type { EnforceOptions } from "../../../client-node/guard-options.ts";
import type { ListName } from "../../../client-node/surface/listing.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import type { Answer, Exchange } from "../relay/exchange.ts";
import { isObject, type NotificationMessage, type RequestMessage, type ResponseMessage } from "../relay/message.ts";
import type { Notices } from "../relay/notices.ts";
import { blockedResult, isStateless, refuse } from "../relay/refusal.ts";
import type { Judge, Sides } from "../relay/relay.ts";
import { rpcCodes, rpcError } from "../relay/rpc-error.ts";
import { isListing, listOf, RelayedSurface } from "../surface/relayed-surface.ts";
import { askUser, canAskByForm } from "./ask-user.ts";
import { AwaitedApprovals } from "./awaited-approvals.ts";
import { type GuardedRequest, guardedRequest, unchanged } from "./call-steps.ts";
import type { GuardSettings } from "./guard-settings.ts";
import { judgedResult } from "./judged-result.ts";
import { Tasks } from "./tasks.ts";

/**
 * What is judged, and as what:
 *
 * | message | action | arguments of the call phase |
 * |---|---|---|
 * | `tools/call` | the tool's name | the tool's arguments |
 * | `resources/read` | `mcp.read_resource` | `{uri}` |
 * | `prompts/get` | `mcp.get_prompt` | `{name, arguments}` |
 * | result of `tools/list` | `tools/list` | - |
 * | `instructions` of `initialize`, `server/discover` | `mcp.instructions` | - |
 * | result of `tasks/result`, `tasks/get` | the tool's name, else `mcp.task` | - |
 * | any other result that asks the host for input (`resultType: "input_required"`) | `mcp.input_required` | - |
 * | `sampling/createMessage`, `elicitation/create` of the server | `mcp.sampling`, `mcp.elicitation` | - |
 *
 * Results are judged before they are delivered. Everything else goes on as it came.
 */
export class GuardJudge implements Judge {
  readonly #settings: GuardSettings;
  readonly #notices: Notices;
  readonly #approvals = new AwaitedApprovals();
  readonly #tasks = new Tasks();
  readonly #surface: RelayedSurface;
  #hostCanAsk = false;

  constructor(settings: GuardSettings, notices: Notices) {
    this.#settings = settings;
    this.#notices = notices;
    this.#surface = new RelayedSurface(settings, notices);
  }

  async fromHost(exchange: Exchange, sides: Sides): Promise<Answer> {
    this.#surface.follows(exchange, sides);
    switch (exchange.request.method) {
      case "tools/call":
        return this.#callTool(exchange, sides);
      case "resources/read":
        return this.#readResource(exchange, sides);
      case "prompts/get":
        return this.#getPrompt(exchange, sides);
      case "tasks/result":
      case "tasks/get":
        return this.#taskResult(exchange, sides);
      case "initialize":
        return this.#initialized(exchange, sides);
      case "server/discover":
        return this.#opened(exchange, sides);
    }
    const list = listOf(exchange.request.method);
    if (list !== null) return this.#listed(list, exchange, sides);
    return this.#passed(exchange, sides);
  }

  /** What a server asks the host for in place of an answer is read as its requests are, whatever it was asked. */
  async #passed(exchange: Exchange, { server }: Sides): Promise<Answer> {
    const response = await server.forward(exchange, exchange.request);
    const { outcome } = response;
    if (outcome.kind === "error" || !asksForInput(outcome.result)) return { kind: "unchanged", response };
    const judged = await this.#judged("mcp.input_required", outcome.result, response, exchange);
    return unchanged(response, judged) ?? { kind: "result", result: judged };
  }

  async fromServer({ method, params }: RequestMessage): Promise<JsonObject | null> {
    const action = Object.hasOwn(serverActions, method) ? serverActions[method] : undefined;
    if (action === undefined || params === null) return params;
    const judged = await enforceToolResult(action, params, this.#enforce(null, null));
    if (isObject(judged)) return judged;
    throw refuse(action, "no_verdict", "a rule put something in its place that is no request");
  }

  noticed(notification: NotificationMessage): void {
    this.#surface.noticed(notification);
  }

  async #callTool(exchange: Exchange, sides: Sides): Promise<Answer> {
    const { request } = exchange;
    const { name, arguments: args, ...others } = request.params ?? {};
    try {
      const action = nameOf("tools/call", name);
      const guarded = {
        action,
        args: args as JsonObject | undefined,
        paramsWith: (safe: JsonObject) => ({ ...others, name: action, arguments: safe }),
      };
      const answer = await this.#guarded(guarded, exchange, sides);
      this.#tasks.began(action, answer);
      return answer;
    } catch (error) {
      if (error instanceof BlockedError) return { kind: "result", result: blockedResult(error, request) };
      throw error;
    }
  }

  async #readResource(exchange: Exchange, sides: Sides): Promise<Answer> {
    const { uri, ...others } = exchange.request.params ?? {};
    const action = "mcp.read_resource";
    const args = { uri: nameOf(action, uri) };
    return this.#guarded({ action, args, paramsWith: (safe) => ({ ...others, ...safe }) }, exchange, sides);
  }

  async #getPrompt(exchange: Exchange, sides: Sides): Promise<Answer> {
    const { name, arguments: given, ...others } = exchange.request.params ?? {};
    const action = "mcp.get_prompt";
    const args = { name: nameOf(action, name), ...(given === undefined ? {} : { arguments: given }) };
    return this.#guarded({ action, args, paramsWith: (safe) => ({ ...others, ...safe }) }, exchange, sides);
  }

  async #guarded(guarded: GuardedRequest, exchange: Exchange, sides: Sides): Promise<Answer> {
    const { action, args } = guarded;
    await this.#surface.ready();
    const approval = this.#approvals.of(action, args);
    const enforce = this.#enforce(exchange, sides, approval?.callId);
    const permit = approval === null ? undefined : () => this.#approvals.permit(action, args, enforce);
    try {
      return await guardedRequest({ ...guarded, permit }, exchange, sides, enforce);
    } catch (error) {
      if (error instanceof NotApprovedError) this.#approvals.remember(action, args, error);
      throw error;
    }
  }

  async #listed(list: ListName, exchange: Exchange, { server }: Sides): Promise<Answer> {
    await this.#surface.ready();
    const response = await server.forward(exchange, exchange.request);
    if (response.outcome.kind === "error") return { kind: "unchanged", response };
    const { result } = response.outcome;
    // Nothing judged what stands in it, and a host may read it all the same.
    if (!isListing(list, result))
      throw rpcError(rpcCodes.internal, "the server's answer is no list; it is not passed on");
    const shown = await this.#surface.shown(list, result);
    const judged = list === "tools" ? await this.#judged("tools/list", shown, response, exchange) : shown;
    return unchanged(response, judged) ?? { kind: "result", result: judged };
  }

  async #taskResult(exchange: Exchange, { server }: Sides): Promise<Answer> {
    const response = await server.forward(exchange, exchange.request);
    if (response.outcome.kind === "error") return { kind: "unchanged", response };
    const action = this.#tasks.actionOf(exchange.request);
    const judged = await this.#judged(action, response.outcome.result, response, exchange);
    return unchanged(response, judged) ?? { kind: "result", result: judged };
  }

  #judged(action: string, result: JsonValue, { bytes }: ResponseMessage, exchange: Exchange): Promise<JsonValue> {
    return judgedResult(action, result, bytes, this.#enforce(exchange, null));
  }

  #initialized(exchange: Exchange, sides: Sides): Promise<Answer> {
    this.#hostCanAsk = canAskByForm(exchange.request.params?.capabilities);
    const opening = this.#opened(exchange, sides);
    this.#surface.opensWith(opening);
    return opening;
  }

  /** Instructions are read by the model before any tool is called. What is not let through is left out; the session goes on. */
  async #opened(exchange: Exchange, { server }: Sides): Promise<Answer> {
    const response = await server.forward(exchange, exchange.request);
    const result = response.outcome.kind === "result" ? response.outcome.result : null;
    if (!isObject(result)) return { kind: "unchanged", response };
    if (asksForInput(result))
      throw rpcError(rpcCodes.internal, "the server asks before it is opened; it is not passed on");
    const { instructions, ...others } = result;
    const view = { instructions: instructions as JsonValue };
    try {
      if (!(await this.#surface.opened(result))) return { kind: "result", result: others };
      if (instructions === undefined) return { kind: "unchanged", response };
      if (typeof instructions !== "string") {
        this.#notices.tell("the server's instructions are no text; they are withheld");
        return { kind: "result", result: others };
      }
      const judged: JsonValue = await judgedResult(
        "mcp.instructions",
        view,
        response.bytes,
        this.#enforce(exchange, null),
      );
      if (judged === view) return { kind: "unchanged", response };
      const replaced = isObject(judged) ? judged.instructions : judged;
      return { kind: "result", result: typeof replaced === "string" ? { ...others, instructions: replaced } : others };
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      this.#notices.tell("the server's instructions are withheld", error.decision.reason);
      return { kind: "result", result: others };
    }
  }

  #enforce(exchange: Exchange | null, sides: Sides | null, callId: string = newCallId()): EnforceOptions {
    const { engine, principal, escalate, escalateDeadline_ms } = this.#settings;
    const mayAsk = exchange !== null && sides !== null && this.#hostCanAsk && !isStateless(exchange.request);
    return {
      engine,
      callId,
      surface: this.#surface.reported,
      signal: exchange?.cancelled.signal ?? null,
      ...(principal === undefined ? {} : { principal }),
      ...(escalate === undefined ? {} : { escalate }),
      ...(escalateDeadline_ms === undefined ? {} : { escalateDeadline_ms }),
      ...(mayAsk ? { onEscalate: askUser(exchange, sides) } : {}),
    };
  }
}

const asksForInput = (result: JsonValue): boolean => isObject(result) && result.resultType === "input_required";

const serverActions: Readonly<Record<string, string>> = Object.freeze({
  "sampling/createMessage": "mcp.sampling",
  "elicitation/create": "mcp.elicitation",
});

const nameOf = (action: string, name: unknown): string => {
  if (typeof name === "string" && name !== "") return name;
  throw refuse(action, "invalid_call", "it was asked for without a name");
};
