import type { ServerResponse } from "node:http";

/** Why the gateway itself refuses a request, by its type (RFC 9457). What a server or a rule refuses is MCP's own answer. */
export type ProblemType =
  | "unknown_server"
  | "unknown_session"
  | "method_not_allowed"
  | "host_not_allowed"
  | "origin_not_allowed"
  | "not_authenticated"
  | "body_too_large"
  | "not_json"
  | "session_required"
  | "too_many_sessions"
  | "too_many_requests"
  | "server_not_started"
  | "stopping";

const problems: Readonly<Record<ProblemType, readonly [status: number, title: string]>> = {
  unknown_server: [404, "no server of this name is served here"],
  unknown_session: [404, "this session has ended, or is of another server; initialize again"],
  method_not_allowed: [405, "POST, GET and DELETE are what MCP uses"],
  host_not_allowed: [403, "the Host header names none that is served here; see allowed_hosts"],
  origin_not_allowed: [403, "the Origin header names none of allowed_origins"],
  not_authenticated: [401, "show the gateway's token as Authorization: Bearer"],
  body_too_large: [413, "a message is at most 8 MiB"],
  not_json: [400, "the body is not JSON as RFC 8259 and I-JSON have it"],
  session_required: [400, "the first message of a session is initialize; later ones carry Mcp-Session-Id"],
  too_many_sessions: [503, "too many sessions are open; end one, or try later"],
  too_many_requests: [429, "too many requests of this session are open"],
  server_not_started: [502, "the server could not be started"],
  stopping: [503, "the gateway is stopping"],
};

/** Answers with a problem document, and nothing of what was asked in it. */
export const refuse = (response: ServerResponse, type: ProblemType): void => {
  const [status, title] = problems[type];
  if (response.headersSent) {
    response.end();
    return;
  }
  const body = JSON.stringify({ type: `urn:interlock:gateway:${type}`, title, status });
  response.writeHead(status, {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...(type === "method_not_allowed" ? { Allow: "POST, GET, DELETE" } : {}),
    ...(type === "not_authenticated" ? { "WWW-Authenticate": "Bearer" } : {}),
    // What is left of a body is not read.
    ...(type === "body_too_large" ? { Connection: "close" } : {}),
  });
  response.end(body);
};
