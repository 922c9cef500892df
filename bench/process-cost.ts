import { readdirSync, readFileSync } from "node:fs";

/** Nanoseconds that all living threads of a process have been on a core (first field of Linux's schedstat). */
export const onCpu_ns = (pid: number): number => {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  }
  return total;
};

/** Memory of a process that is in RAM now. */
export const residentBytes = (pid: number): number => {
  const kib = readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  if (kib === undefined) throw new Error(`bench: process ${pid} has no VmRSS; it has ended`);
  return Number(kib) * 1024;
};
