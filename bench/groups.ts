import type { MetricGroup } from "./metric.ts";
import { checkpoints } from "./metrics/checkpoints.ts";
import { contractCall } from "./metrics/contract-call.ts";
import { durability } from "./metrics/durability.ts";
import { guardedCall } from "./metrics/guarded-call.ts";
import { guardedStartup } from "./metrics/guarded-startup.ts";
import { mcpProxy } from "./metrics/mcp-proxy.ts";
import { memory } from "./metrics/memory.ts";
import { nodeClient } from "./metrics/node-client.ts";
import { packs } from "./metrics/packs.ts";
import { pipelined } from "./metrics/pipelined.ts";
import { pythonCall } from "./metrics/python-call.ts";
import { receipts } from "./metrics/receipts.ts";
import { ruleCount } from "./metrics/rule-count.ts";
import { scopeCount } from "./metrics/scope-count.ts";
import { sizes } from "./metrics/sizes.ts";
import { startup } from "./metrics/startup.ts";
import { syncCall } from "./metrics/sync-call.ts";

/** Every benchmark, in the order of the report. */
export const groups: readonly MetricGroup[] = [
  guardedCall,
  nodeClient,
  mcpProxy,
  pythonCall,
  syncCall,
  pipelined,
  checkpoints,
  receipts,
  ruleCount,
  scopeCount,
  sizes,
  contractCall,
  packs,
  durability,
  startup,
  guardedStartup,
  memory,
];
