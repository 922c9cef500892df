import { classifySurface } from "../classify/index.ts";
import type { SurfaceDrift } from "../finding.ts";
import { judgeFirst } from "../state/first-use.ts";
import type { Surface } from "../surface.ts";

/**
 * What a listing is against what was approved; with nothing approved, what of it is hostile by itself. Who runs is no part of a listing
 * and is not compared.
 */
export const compareOffline = (approved: Surface | null, observed: Surface): SurfaceDrift => {
  if (approved === null) return judgeFirst(observed, { classify: classifySurface, mode: "first_use", others: [] });
  return classifySurface(approved, { ...observed, identity: approved.identity }, []);
};
