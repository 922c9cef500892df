import { serviceOf } from "../../network/collectors.ts";
import { destinationOf } from "../../network/destination.ts";

export type ReachedHarm = "metadata" | "inside" | "collector";

/** Where a program goes that names its addresses: what the pack network says of the addresses of calls, for those of programs. */
export const reached = (texts: readonly string[]): readonly ReachedHarm[] =>
  texts.flatMap((text): readonly ReachedHarm[] => {
    if (!/^(?:https?|wss?|ftp):/i.test(text)) return [];
    const destination = destinationOf(text);
    if (destination.kind !== "network") return [];
    if (destination.is === "metadata" || destination.is === "link_local") return ["metadata"];
    if (destination.is !== "public" && destination.is !== "loopback") return ["inside"];
    return serviceOf(destination.host) === "collector" ? ["collector"] : [];
  });
