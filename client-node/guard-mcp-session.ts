import { blocked } from "./ask.ts";
import { newCallId } from "./call-id.ts";
import { isCutShortMcp } from "./cut-short.ts";
import { enforceToolResult } from "./enforce-result.ts";
import { checkedOptions, type EnforceOptions, type GuardOptions } from "./guard-options.ts";
import { guardedLike, isGuarded } from "./guarded.ts";
import { guardedCall } from "./guarded-call.ts";
import { withoutUndefined } from "./mcp-json.ts";
import { isPlainObject } from "./plain-object.ts";
import { type ListName, listNames } from "./surface/listing.ts";
import { listingMethods } from "./surface/session-server.ts";
import { SessionSurface } from "./surface/session-surface.ts";
import { namedServer } from "./surface/surface-keeper.ts";

/**
 * The methods of an MCP client that are guarded, and the action each is judged as. Arguments of the call phase:
 *
 * | method | action | arguments |
 * |---|---|---|
 * | `callTool` | the tool's name | the tool's arguments |
 * | `readResource` | `mcp.read_resource` | `{uri}` |
 * | `getPrompt` | `mcp.get_prompt` | `{name, arguments}` |
 * | `listTools` | `tools/list` | none: only the result, `{tools: [...]}`, is judged |
 *
 * Where the server has a name (`McpGuardOptions`), the lists of prompts, resources and resource templates are guarded too.
 *
 * The result phase of each carries the whole result. One with `isError` is reported as failed before it is judged. A replay's is the
 * recorded result with the transaction that ran under `_meta["interlock/replayed"]`.
 */
export interface McpSession {
  // biome-ignore lint/suspicious/noExplicitAny: the methods of two SDKs, whose types differ
  callTool(...args: any[]): Promise<any>;
}

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Params = Readonly<Record<string, unknown>>;

export interface McpGuardOptions extends GuardOptions {
  /**
   * What the server goes by in rules and receipts; never what it says of itself. With it the daemon is told what the server lists before
   * anything is called, what it holds is in no list, and a tool that changed is not called. A daemon that keeps no surfaces judges without.
   */
  readonly server?: string;
  /** Whom the session shows itself as, such as an account's name; only its digest is told. Each has a baseline of its own. */
  readonly credential?: string;
}

/**
 * Guards an MCP client in place and returns it. Works with `Client` of `@modelcontextprotocol/sdk` 1.x and
 * `@modelcontextprotocol/client` 2.x. A client that is guarded already stays as it is.
 */
export const guardMcpSession = <C extends McpSession>(client: C, options: McpGuardOptions): C => {
  checkedOptions(options);
  if (typeof client?.callTool !== "function") throw new TypeError("guardMcpSession: the client has no `callTool`");
  if (isGuarded(client.callTool)) return client;
  const surface = sessionSurface(client, options);
  replace(client, "callTool", guardCallTool, options, surface);
  replace(client, "readResource", guardReadResource, options, surface);
  replace(client, "getPrompt", guardGetPrompt, options, surface);
  for (const list of listNames) {
    // Without surfaces only the tools' list is judged.
    if (surface === null && list !== "tools") continue;
    const listed: Guard = (run, params, enforce) => guardList(list, run, params, enforce, surface);
    replace(client, listingMethods[list], listed, options, surface);
  }
  return client;
};

/** @throws TypeError a name that is none */
const sessionSurface = (client: McpSession, { engine, server, credential }: McpGuardOptions): SessionSurface | null => {
  for (const [name, text] of Object.entries({ server, credential })) {
    if (text !== undefined && (typeof text !== "string" || text === "")) {
      throw new TypeError(`guard options: \`${name}\` is text, and not empty`);
    }
  }
  return server === undefined ? null : new SessionSurface(namedServer(server, credential ?? null), engine, client);
};

type Run = (params: unknown) => Promise<unknown>;
type Guard = (run: Run, params: unknown, enforce: EnforceOptions) => Promise<unknown>;

const replace = (
  client: object,
  name: string,
  guard: Guard,
  options: GuardOptions,
  surface: SessionSurface | null,
): void => {
  const original = (client as Record<string, unknown>)[name] as Method | undefined;
  if (typeof original !== "function" || isGuarded(original)) return;
  async function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
    const receiver = this ?? client;
    const [params, ...rest] = args;
    // A call without arguments stays one: the SDKs tell `listTools()` from `listTools({})`.
    const run: Run = (judgedParams) =>
      Reflect.apply(
        original as Method,
        receiver,
        args.length === 0 && judgedParams === undefined ? [] : [judgedParams, ...rest],
      );
    const reported = surface === null ? null : await surface.ready();
    return guard(run, params, { ...options, callId: newCallId(), signal: signalAmong(rest), surface: reported });
  }
  Object.defineProperty(client, name, { value: guardedLike(guarded, original), writable: true, configurable: true });
};

const guardCallTool: Guard = async (run, params, enforce) => {
  const call = paramsOf("callTool", params);
  const action = textOf("callTool", call, "name");
  return guardedCall(action, withoutUndefined(call.arguments) as Params | undefined, enforce, {
    ...mcpSteps(action, enforce),
    // A tool called without arguments keeps having none, unless a rule gave it some.
    prepare: (safe) =>
      call.arguments === undefined && Object.keys(safe).length === 0 ? call : { ...call, arguments: safe },
    run,
    hasFailed: (result) => isPlainObject(result) && result.isError === true,
  });
};

const guardReadResource: Guard = async (run, params, enforce) => {
  const read = paramsOf("readResource", params);
  const action = "mcp.read_resource";
  return guardedCall(action, { uri: read.uri }, enforce, {
    ...mcpSteps(action, enforce),
    prepare: (safe) => ({ ...read, uri: safe.uri }),
    run,
  });
};

const guardGetPrompt: Guard = async (run, params, enforce) => {
  const prompt = paramsOf("getPrompt", params);
  const action = "mcp.get_prompt";
  const view = withoutUndefined({ name: prompt.name, arguments: prompt.arguments });
  const { name: _name, arguments: _arguments, ...others } = prompt;
  return guardedCall(action, view, enforce, {
    ...mcpSteps(action, enforce),
    prepare: (safe) => ({ ...others, ...safe }),
    run,
  });
};

const mcpSteps = (action: string, enforce: EnforceOptions) => ({
  isCutShort: isCutShortMcp,
  deliver: (result: unknown) => judged(action, result, enforce),
  replayed: withReplayMark,
});

const guardList = async (
  list: ListName,
  run: Run,
  params: unknown,
  enforce: EnforceOptions,
  surface: SessionSurface | null,
): Promise<unknown> => {
  const page = await run(params);
  const shown = surface === null ? page : await surface.shown(list, page);
  return list === "tools" ? judged("tools/list", shown, enforce) : shown;
};

const judged = async (action: string, original: unknown, enforce: EnforceOptions): Promise<unknown> => {
  const view = withoutUndefined(original);
  const answer = await enforceToolResult(action, view, enforce);
  return answer === view ? original : answer;
};

/** MCP keeps `_meta` for what is said about a result beside it. */
const withReplayMark = (result: unknown, transactionId: string): unknown =>
  isPlainObject(result)
    ? { ...result, _meta: { ...(isPlainObject(result._meta) ? result._meta : {}), [replayMark]: transactionId } }
    : result;

const replayMark = "interlock/replayed";

/** The SDKs take a request's options after the parameters, 1.x behind a schema. */
const signalAmong = (rest: readonly unknown[]): AbortSignal | null => {
  for (const argument of rest) {
    const signal: unknown = (argument as { readonly signal?: unknown } | null | undefined)?.signal;
    if (signal instanceof AbortSignal) return signal;
  }
  return null;
};

const paramsOf = (method: string, params: unknown): Params => {
  if (typeof params === "object" && params !== null && !Array.isArray(params)) return { ...params };
  throw blocked(method, `${method} was called without parameters`);
};

const textOf = (method: string, params: Params, key: string): string => {
  const text = params[key];
  if (typeof text === "string" && text !== "") return text;
  throw blocked(method, `${method} was called without a ${key}`);
};
