import { isSha256 } from "../../../wire/sha256-name.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { type ItemRef, itemKinds, type ServerKey } from "../../surfaces/surface.ts";
import { askOperators, type OperatorSeat, OperatorsSaidNo } from "../ask-operators.ts";
import { operatorRefusals } from "../refusal.ts";
import type { ServerView } from "../surfaces-service.ts";

export const askServers = async (seat: OperatorSeat): Promise<readonly ServerView[]> =>
  (await askOperators(seat, "servers.list", {})).servers as unknown as readonly ServerView[];

/** The server of that name; which of several credentials is meant has to be said. Throws Refusal. */
export const namedServer = async (
  seat: OperatorSeat,
  server: string,
  credential: string | undefined,
): Promise<ServerKey & { readonly [key: string]: string | null }> => {
  if (credential !== undefined) {
    if (credential !== "none" && !isSha256(credential)) {
      throw new Refusal(
        ExitCode.refused,
        "--credential is none, or sha256: and 64 hex digits, as interlock servers list tells them",
      );
    }
    return { server, credential: credential === "none" ? null : credential };
  }
  const [one, ...others] = (await askServers(seat)).filter((known) => known.server === server);
  if (one === undefined) throw new OperatorsSaidNo("no_server", operatorRefusals.no_server);
  if (others.length > 0) {
    const all = [one, ...others].map((known) => known.credential ?? "none").join(", ");
    throw new Refusal(
      ExitCode.refused,
      `the server is known for several credentials; name one by --credential: ${all}`,
    );
  }
  return { server, credential: one.credential };
};

/** `send_mail` and `tool:send_mail`; `prompt:`, `resource:` and `template:` with a name; `instructions`. Throws Refusal. */
export const itemOf = (text: string): ItemRef & { readonly [key: string]: string } => {
  if (text === "instructions") return { kind: "instructions", name: "" };
  const at = text.indexOf(":");
  const kind = itemKinds.find((one) => one === text.slice(0, Math.max(0, at)));
  const item =
    kind === undefined || kind === "instructions"
      ? { kind: "tool" as const, name: text }
      : { kind, name: text.slice(at + 1) };
  if (item.name === "")
    throw new Refusal(
      ExitCode.refused,
      "name an item: send_mail, prompt:NAME, resource:URI, template:URI, instructions",
    );
  return item;
};
