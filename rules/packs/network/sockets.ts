import { block } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import type { PrivateTerms } from "../../network/private.ts";
import { grantsMachine } from "../../network/socket-path.ts";
import { destinationsIn, type Stated } from "../../network/stated.ts";
import { everyAction } from "./options.ts";

/**
 * Sockets of this machine. A connection to any of them is refused unless its path is among the allowed hosts; elsewhere those are that
 * grant the machine: a container engine's, the bus, agents of ssh and gpg, the display.
 */
export const sockets = ({ allowHosts }: PrivateTerms): DefinedRule =>
  defineRule({
    id: "network.sockets",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      for (const stated of destinationsIn(action, args).all)
        if (isHeldSocket(stated, allowHosts)) return block(reachesSocket, { attributedTo: stated.place });
      // `http.request` may be given a socket beside its URL.
      const { socketPath } = args;
      if (
        socketPath === undefined ||
        socketPath === null ||
        (typeof socketPath === "string" && allowHosts.has(socketPath.toLowerCase()))
      )
        return undefined;
      return block(reachesSocket, { attributedTo: "socketPath" });
    },
    examples: [
      { event: { action: "net.connect", args: { path: "/var/run/docker.sock" } }, expect: "block" },
      { event: { action: "net.connect", args: { path: "/tmp/ssh-XXXXabcd/agent.1234" } }, expect: "block" },
      { event: { action: "net.connect", args: { path: "/run/dbus/system_bus_socket" } }, expect: "block" },
      { event: { action: "net.connect", args: { path: "/tmp/.X11-unix/X0" } }, expect: "block" },
      {
        event: { action: "fetch", args: { url: "http+unix://%2Fvar%2Frun%2Fdocker.sock/containers/json" } },
        expect: "block",
      },
      {
        event: { action: "create_container", args: { volumes: ["/var/run/docker.sock:/var/run/docker.sock"] } },
        expect: "block",
      },
      { event: { action: "net.listen", args: { path: "/srv/app/own.sock" } }, expect: "silent" },
      {
        event: { action: "write_file", args: { path: "notes.md", content: "/var/run/docker.sock" } },
        expect: "silent",
      },
    ],
  });

export const reachesSocket = "it reaches a socket of this machine";

export const isHeldSocket = ({ destination, how }: Stated, allowHosts: ReadonlySet<string>): boolean => {
  if (destination.kind !== "socket" || allowHosts.has(destination.path.toLowerCase())) return false;
  return how === "asked" || how === "dialled" || grantsMachine(destination.path);
};
