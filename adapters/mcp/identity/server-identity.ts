import { createHash, X509Certificate } from "node:crypto";
import { createReadStream } from "node:fs";
import { connect } from "node:tls";
import { canonical } from "../../../wire/canonical.ts";
import { maxIdentityBytes } from "../../../wire/limits.ts";
import type { ServerIdentity } from "../../../wire/server-identity.ts";
import { launchedPackage, packageOf } from "./package-of.ts";
import { resolveCommand } from "./resolve-command.ts";

/** What runs, as it is resolved here and not as it says of itself: the program's or the script's bytes, and the package that they are of. */
export const commandIdentity = async (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ServerIdentity> => {
  const { program, code, launched } = resolveCommand(command, args, env);
  return {
    kind: "stdio",
    command: (program ?? command).slice(0, maxIdentityBytes / 4),
    args: sha256(canonical(args.map((argument) => argument.toWellFormed()))),
    executable: code === null ? null : await digestOf(code),
    package:
      launched === null ? (code === null ? null : packageOf(code)) : launchedPackage(launched.from, launched.spec),
  };
};

/** Where a server is, and by which key it proves it. The key is read on a connection of its own; null without TLS. */
export const urlIdentity = async (url: URL): Promise<ServerIdentity> => ({
  kind: "http",
  url: `${url.origin}${url.pathname}`,
  tls_key: url.protocol === "https:" ? await tlsKey(url) : null,
});

const sha256 = (bytes: string | Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Null where it cannot be read. */
const digestOf = async (path: string): Promise<string | null> => {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return `sha256:${hash.digest("hex")}`;
  } catch {
    return null;
  }
};

const tlsTimeout_ms = 10_000;

/** Rejects where there is no such connection, or the certificate is not believed: then nothing is known of whom is asked. */
const tlsKey = ({ hostname, port }: URL): Promise<string> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: port === "" ? 443 : Number(port), servername: host, timeout: tlsTimeout_ms });
    socket.once("secureConnect", () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(sha256(new X509Certificate(raw).publicKey.export({ type: "spki", format: "der" })));
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
  });

/** Asks once: what runs now is what was started then. */
export const resolvedOnce = (resolve: () => Promise<ServerIdentity>): (() => Promise<ServerIdentity>) => {
  let identity: Promise<ServerIdentity> | null = null;
  return () => {
    identity ??= resolve();
    return identity;
  };
};
