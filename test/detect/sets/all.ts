import type { DetectSet } from "../corpus.ts";
import { agentEgressSet } from "./agent-egress.ts";
import { bipiaCodeSet, bipiaSet, embeddedSet } from "./bipia.ts";
import { bipiaCode, code } from "./code.ts";
import { commandsSet } from "./commands.ts";
import { injectionOwnSet, injectionSet } from "./injection.ts";
import { networkSet } from "./network.ts";
import { pathsSet } from "./paths.ts";
import { seamsSet } from "./seams.ts";
import { piiSet, secretsSet } from "./secrets.ts";
import { databaseFields, sql } from "./sql.ts";
import { templates } from "./templates.ts";

/** Every corpus that `npm run eval:detect` measures, in the order in which it prints them. */
export const detectSets: readonly DetectSet[] = [
  agentEgressSet,
  pathsSet,
  commandsSet,
  networkSet,
  secretsSet,
  piiSet,
  injectionSet,
  injectionOwnSet,
  bipiaSet,
  bipiaCodeSet,
  embeddedSet,
  sql,
  databaseFields,
  code,
  bipiaCode,
  templates,
  seamsSet,
];
