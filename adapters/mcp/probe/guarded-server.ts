import { Client, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { WireObject, WireValue } from "../../../wire/value.ts";
import { blockedMark } from "../relay/refusal.ts";
import { rpcCodes } from "../relay/rpc-error.ts";

/** What a guarded server answered. Of an error of the guard's own only its code. */
export type GuardedAnswer =
  | {
      readonly kind: "result";
      readonly isError: boolean;
      readonly texts: readonly string[];
      readonly structured: WireValue;
    }
  | { readonly kind: "rpc_error"; readonly code: number; readonly message: string; readonly status: null }
  | { readonly kind: "blocked"; readonly code: string }
  | { readonly kind: "malformed" }
  | { readonly kind: "timeout" }
  | { readonly kind: "network" };

/** How `interlock mcp` is started. */
export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout_ms: number;
}

/** Two programs start, and the server may load much. */
const opening_ms = 60_000;

/** A host of its own in front of `interlock mcp`, as any host is: what it calls is judged, and the server cannot tell it from others. */
export class GuardedServer {
  readonly #client: Client;
  readonly #timeout_ms: number;

  private constructor(client: Client, timeout_ms: number) {
    this.#client = client;
    this.#timeout_ms = timeout_ms;
  }

  /** Rejects where there is no MCP server. */
  static async open({ command, args, timeout_ms }: GuardedCommand): Promise<GuardedServer> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const transport = new StdioClientTransport({ command, args: [...args], env, stderr: "inherit" });
    const client = new Client({ name: "interlock-probe", version: "1" });
    await client.connect(transport, { timeout: opening_ms });
    return new GuardedServer(client, timeout_ms);
  }

  async call(name: string, args: WireObject): Promise<GuardedAnswer> {
    try {
      const params = { name, arguments: { ...args } };
      return answerOf(await this.#client.callTool(params, { timeout: this.#timeout_ms }));
    } catch (error) {
      return failureOf(error);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const answerOf = (result: Awaited<ReturnType<Client["callTool"]>>): GuardedAnswer => {
  const mark = result._meta?.[blockedMark];
  if (typeof mark === "object" && mark !== null) {
    const { code } = mark as { readonly code?: unknown };
    return { kind: "blocked", code: typeof code === "string" ? code : "blocked" };
  }
  if (!Array.isArray(result.content)) return { kind: "malformed" };
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const structured = (result.structuredContent ?? null) as WireValue;
  return { kind: "result", isError: result.isError === true, texts, structured };
};

const failureOf = (error: unknown): GuardedAnswer => {
  if (error instanceof ProtocolError) {
    return error.code === rpcCodes.blocked
      ? { kind: "blocked", code: "blocked" }
      : { kind: "rpc_error", code: error.code, message: error.message, status: null };
  }
  if (!(error instanceof SdkError)) return { kind: "malformed" };
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: "timeout" };
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return { kind: "network" };
    default:
      return { kind: "malformed" };
  }
};
