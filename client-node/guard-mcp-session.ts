import { blocked } from "./ask.ts";
import { newCallId } from "./call-id.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { enforceToolResult } from "./enforce-result.ts";
import { checkedOptions, type EnforceOptions, type GuardOptions } from "./guard-options.ts";
import { guardedLike, isGuarded } from "./guarded.ts";
import { withoutUndefined } from "./mcp-json.ts";

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
 * The result phase of each carries the whole result.
 */
export interface McpSession {
  // biome-ignore lint/suspicious/noExplicitAny: the methods of two SDKs, whose types differ
  callTool(...args: any[]): Promise<any>;
}

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Params = Readonly<Record<string, unknown>>;

/**
 * Guards an MCP client in place and returns it. Works with `Client` of `@modelcontextprotocol/sdk` 1.x and
 * `@modelcontextprotocol/client` 2.x. A client that is guarded already stays as it is.
 */
export const guardMcpSession = <C extends McpSession>(client: C, options: GuardOptions): C => {
  checkedOptions(options);
  if (typeof client?.callTool !== "function") throw new TypeError("guardMcpSession: the client has no `callTool`");
  replace(client, "callTool", (run, params, enforce) => guardCallTool(run, params, enforce), options);
  replace(client, "readResource", (run, params, enforce) => guardReadResource(run, params, enforce), options);
  replace(client, "getPrompt", (run, params, enforce) => guardGetPrompt(run, params, enforce), options);
  replace(client, "listTools", (run, params, enforce) => judged("tools/list", run(params), enforce), options);
  return client;
};

type Run = (params: unknown) => Promise<unknown>;
type Guard = (run: Run, params: unknown, enforce: EnforceOptions) => Promise<unknown>;

const replace = (client: object, name: string, guard: Guard, options: GuardOptions): void => {
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
    return guard(run, params, { ...options, callId: newCallId() });
  }
  Object.defineProperty(client, name, { value: guardedLike(guarded, original), writable: true, configurable: true });
};

const guardCallTool: Guard = async (run, params, enforce) => {
  const call = paramsOf("callTool", params);
  const action = textOf("callTool", call, "name");
  const safe = await enforceToolCall(action, withoutUndefined(call.arguments) as Params | undefined, enforce);
  // A tool called without arguments keeps having none, unless a rule gave it some.
  const empty = call.arguments === undefined && Object.keys(safe).length === 0;
  return judged(action, run(empty ? call : { ...call, arguments: safe }), enforce);
};

const guardReadResource: Guard = async (run, params, enforce) => {
  const read = paramsOf("readResource", params);
  const action = "mcp.read_resource";
  const safe = await enforceToolCall(action, { uri: read.uri }, enforce);
  return judged(action, run({ ...read, uri: safe.uri }), enforce);
};

const guardGetPrompt: Guard = async (run, params, enforce) => {
  const prompt = paramsOf("getPrompt", params);
  const action = "mcp.get_prompt";
  const view = withoutUndefined({ name: prompt.name, arguments: prompt.arguments });
  const safe = await enforceToolCall(action, view, enforce);
  const { name: _name, arguments: _arguments, ...others } = prompt;
  return judged(action, run({ ...others, ...safe }), enforce);
};

const judged = async (action: string, result: Promise<unknown>, enforce: EnforceOptions): Promise<unknown> => {
  const original = await result;
  const view = withoutUndefined(original);
  const answer = await enforceToolResult(action, view, enforce);
  return answer === view ? original : answer;
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
