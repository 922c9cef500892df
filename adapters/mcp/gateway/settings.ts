import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

/** A gateway that is not started: its settings are refused. One line, without a value of theirs. */
export class GatewayRefused extends Error {
  override readonly name = "GatewayRefused";
}

const serverName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const host = z.string().regex(/^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/);

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/);

const schema = z.strictObject({
  /** `host:port`; port 0 is any that is free. */
  listen: z
    .string()
    .regex(/^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):[0-9]{1,5}$/)
    .default("127.0.0.1:7331"),
  /** A file with the bearer token that hosts show. Required where others than this machine can connect. */
  token_file: z.string().min(1).optional(),
  /** What `Host` may say besides loopback names where loopback is listened on: DNS rebinding comes with a name of its own. */
  allowed_hosts: z.array(host).max(64).default([]),
  /** What `Origin` may say, exactly; a request of a browser's without one of these is refused. */
  allowed_origins: z.array(z.url()).max(64).default([]),
  servers: z.record(
    z.string().regex(serverName, "a server's name is 1 to 64 letters, digits, dots, dashes and underscores"),
    z.union([
      z.strictObject({
        /** The program and its arguments: each session of a host has a process of its own. */
        command: z.array(z.string()).min(1).max(256),
        /** Variables of this process that the server gets besides PATH, HOME and the like. */
        pass_env: z.array(variable).max(64).default([]),
      }),
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }),
        /** The variable of this process with the bearer token that the server is shown; a host's own never is. */
        bearer_env: variable.optional(),
      }),
    ]),
  ),
});

export interface GatewaySettings {
  readonly address: string;
  readonly port: number;
  readonly token: string | null;
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly servers: ReadonlyMap<string, GatewayServer>;
}

export type GatewayServer =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly passEnv: readonly string[];
    }
  | { readonly kind: "http"; readonly url: URL; readonly bearerEnv: string | null };

const maxSettingsBytes = 1024 * 1024;
const minTokenCharacters = 16;

/** @throws GatewayRefused */
export const readGatewaySettings = (file: string): GatewaySettings => {
  const given = schema.safeParse(yamlOf(readText(file, "the settings")));
  if (!given.success) {
    const [issue] = given.error.issues;
    throw new GatewayRefused(
      `the settings are refused at ${issue?.path.map(String).join(".") || "their top"}: ${issue?.message}`,
    );
  }
  const { listen, token_file, allowed_hosts, allowed_origins, servers } = given.data;
  if (Object.keys(servers).length === 0) throw new GatewayRefused("the settings name no server");
  const colon = listen.lastIndexOf(":");
  const address = listen.slice(0, colon).replace(/^\[|\]$/g, "");
  const port = Number(listen.slice(colon + 1));
  if (port > 65_535) throw new GatewayRefused("listen: a port is at most 65535");
  const token = token_file === undefined ? null : tokenOf(token_file);
  if (token === null && !isLoopback(address))
    throw new GatewayRefused("listen: others than this machine can connect there; set token_file");
  return Object.freeze({
    address,
    port,
    token,
    allowedHosts: new Set(allowed_hosts.map((name) => name.toLowerCase())),
    allowedOrigins: new Set(allowed_origins.map((origin) => new URL(origin).origin)),
    servers: new Map(Object.entries(servers).map(([name, server]) => [name, serverOf(server)])),
  });
};

const serverOf = (server: z.infer<typeof schema>["servers"][string]): GatewayServer =>
  "url" in server
    ? { kind: "http", url: new URL(server.url), bearerEnv: server.bearer_env ?? null }
    : { kind: "stdio", command: server.command[0] as string, args: server.command.slice(1), passEnv: server.pass_env };

export const isLoopback = (address: string): boolean =>
  address === "localhost" || address === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(address);

const readText = (file: string, what: string): string => {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > maxSettingsBytes) throw new GatewayRefused(`${what} have more than 1 MiB`);
    return bytes.toString("utf8");
  } catch (error) {
    if (error instanceof GatewayRefused) throw error;
    throw new GatewayRefused(`${what} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
};

const yamlOf = (text: string): unknown => {
  try {
    return parse(text, { maxAliasCount: 0, uniqueKeys: true });
  } catch {
    throw new GatewayRefused("the settings are no YAML");
  }
};

const tokenOf = (file: string): string => {
  const token = readText(file, "the token's file").trim();
  if (token.length < minTokenCharacters || !/^[\x21-\x7e]+$/.test(token))
    throw new GatewayRefused(`the token is ${minTokenCharacters} printable characters or more, without spaces`);
  return token;
};
