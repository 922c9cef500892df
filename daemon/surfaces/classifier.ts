import type { Maybe } from "../store/steps.ts";
import type { OtherServer } from "./classify/index.ts";
import type { SurfaceDrift } from "./finding.ts";
import type { Surface } from "./surface.ts";

export type Classify = (approved: Surface, observed: Surface, others: readonly OtherServer[]) => SurfaceDrift;

let loaded: Classify | null = null;

/** What reads definitions for what they say is large: it is loaded with the first report, so that a daemon without MCP servers starts without it. */
export const classifier = (): Maybe<Classify> =>
  loaded ??
  import("./classify/index.ts").then(({ classifySurface }) => {
    loaded = classifySurface;
    return classifySurface;
  });
