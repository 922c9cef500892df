import { runs, starts } from "./forms.ts";

/** What of `child_process`, `worker_threads` and `process` is asked for, or refused. */
export const covers: readonly string[] = Object.freeze([
  ...Object.keys({ ...starts, ...runs }).map((name) => `child_process.${name}`),
  "child_process.ChildProcess",
  "worker_threads.Worker",
  "module.register",
  "process.kill",
  "process._kill",
  "process._debugProcess",
  "process.dlopen",
  "process.execve",
  "process.loadEnvFile",
  "process.report.writeReport",
  "process.binding",
  "process._linkedBinding",
]);

const messages = "hands values between threads of this program, each of which is guarded";
const ownState = "reads or sets a value of this process; reaches no file, program or address";
const ownEnd = "ends this process, or waits in it; starts nothing";
const hooks = "is of this process's own events and handlers";
const internal = "an internal of Node's own start; without arguments of the program's it does nothing";
const rights = "changes whose rights this process has, which the kernel judges; a call after it is judged as before";

const because = (reason: string, ...names: readonly string[]): [string, string][] =>
  names.map((name) => [name, reason]);

/** What is not asked for, and why. */
export const outOfScope: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries([
    ...because(
      "takes over a descriptor that the parent process left open for messages; starts no process",
      "child_process._forkChild",
    ),
    ...because(
      messages,
      ...[
        ...["MessagePort", "MessageChannel", "BroadcastChannel", "parentPort", "workerData", "postMessageToThread"],
        ...["receiveMessageOnPort", "moveMessagePortToContext", "markAsUntransferable", "isMarkedAsUntransferable"],
        ...["markAsUncloneable", "setEnvironmentData", "getEnvironmentData", "structuredClone", "locks"],
      ].map((name) => `worker_threads.${name}`),
    ),
    ...because(
      ownState,
      ...["isMainThread", "isInternalThread", "resourceLimits", "threadId", "threadName", "SHARE_ENV"].map(
        (name) => `worker_threads.${name}`,
      ),
    ),
    ...because(
      "runs in this process, and reaches builtins only by objects it is handed, which are the guarded ones",
      "vm",
    ),
    ...because(
      ownState,
      ...[
        ...["uptime", "hrtime", "cpuUsage", "threadCpuUsage", "resourceUsage", "memoryUsage", "constrainedMemory"],
        ...["availableMemory", "umask", "cwd", "getuid", "geteuid", "getgid", "getegid", "getgroups"],
        ...["_getActiveRequests", "_getActiveHandles", "getActiveResourcesInfo", "assert", "emitWarning"],
        ...["setSourceMapsEnabled", "_rawDebug", "openStdin", "ref", "unref"],
      ].map((name) => `process.${name}`),
      "process.report.getReport",
    ),
    ...because("gives the guarded objects, as `require` does", "process.getBuiltinModule"),
    ...because("changes what relative paths mean; a path is resolved when it is judged", "process.chdir"),
    ...because(
      "talks with the parent process, by the channel that it opened",
      ...["send", "_send", "disconnect", "_disconnect"].map((name) => `process.${name}`),
    ),
    ...because(ownEnd, ...["exit", "reallyExit", "abort", "_debugEnd"].map((name) => `process.${name}`)),
    ...because(
      hooks,
      ...[
        ...["nextTick", "_tickCallback", "_fatalException", "setUncaughtExceptionCaptureCallback"],
        ...["hasUncaughtExceptionCaptureCallback", "addUncaughtExceptionCaptureCallback", "finalization", "emit"],
      ].map((name) => `process.${name}`),
    ),
    ...because(internal, "process._startProfilerIdleNotifier", "process._stopProfilerIdleNotifier"),
    ...because(
      rights,
      ...["initgroups", "setgroups", "setegid", "seteuid", "setgid", "setuid"].map((name) => `process.${name}`),
    ),
  ]),
);
