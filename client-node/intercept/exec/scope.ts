import { guarded, of, outOfScope, type Row, refused } from "../coverage/row.ts";
import { runs, starts } from "./forms.ts";

const messages = "hands values between threads of this program, each of which is guarded";
const ownState = "reads or sets a value of this process; reaches no file, program or address";
const beneath = "reaches beneath the guard, whatever it is called with";

/** What of `child_process`, `cluster`, `worker_threads`, `process` and `module.register` is asked for, refused, or neither. */
export const scope = (): readonly Row[] => [...ofPrograms(), ...ofThreads(), ...ofProcess()];

const ofPrograms = (): readonly Row[] => [
  ...Object.entries({ ...starts, ...runs }).map(([name, { action }]) =>
    guarded("exec", action, `child_process.${name}`),
  ),
  guarded(
    "exec",
    "child_process.spawn",
    ...of("child_process", "ChildProcess ChildProcess.prototype.spawn"),
    "cluster.fork",
  ),
  outOfScope(
    "ends a process that was judged when it started, or talks with it",
    ...of("child_process.ChildProcess.prototype", "kill ref unref"),
    ...of("cluster.Worker.prototype", "kill send isDead isConnected disconnect destroy"),
    "cluster.disconnect",
  ),
  outOfScope(
    "settings and events of this process; what `fork` makes of them is judged when it starts",
    ...of("cluster", "setupPrimary setupMaster settings workers Worker _events"),
  ),
  outOfScope(
    "takes over a descriptor that the parent process left open for messages; starts no process",
    "child_process._forkChild",
  ),
];

const ofThreads = (): readonly Row[] => [
  guarded("exec", "worker_threads.Worker", "worker_threads.Worker"),
  guarded("exec", "module.register", "module.register"),
  outOfScope(
    messages,
    ...of(
      "worker_threads",
      "MessagePort MessageChannel BroadcastChannel parentPort workerData postMessageToThread receiveMessageOnPort moveMessagePortToContext markAsUntransferable isMarkedAsUntransferable markAsUncloneable setEnvironmentData getEnvironmentData locks",
    ),
    ...of("worker_threads.BroadcastChannel.prototype", "name close postMessage ref unref onmessage onmessageerror"),
    ...of("worker_threads.MessagePort.prototype", "postMessage start ref unref hasRef onmessage onmessageerror close"),
    ...of("worker_threads.Worker.prototype", "postMessage ref unref stdin stdout stderr"),
  ),
  outOfScope(
    ownState,
    ...of("worker_threads", "isMainThread isInternalThread resourceLimits threadId threadName SHARE_ENV"),
    ...of("worker_threads.Worker.prototype", "terminate threadId threadName resourceLimits cpuUsage getHeapStatistics"),
  ),
  outOfScope(
    "hands out what is in the memory of a thread of this program, as text; writes no file",
    ...of("worker_threads.Worker.prototype", "getHeapSnapshot startCpuProfile startHeapProfile"),
  ),
];

const ofProcess = (): readonly Row[] => [
  ...["kill", "dlopen", "execve"].map((name) => guarded("exec", `process.${name}`, `process.${name}`)),
  guarded("exec", "process.kill", "process._kill"),
  refused("exec", beneath, "process.binding", "process._linkedBinding"),
  outOfScope(
    ownState,
    ...of(
      "process",
      "uptime hrtime cpuUsage threadCpuUsage resourceUsage memoryUsage constrainedMemory availableMemory umask cwd getuid geteuid getgid getegid getgroups getActiveResourcesInfo assert emitWarning sourceMapsEnabled setSourceMapsEnabled _rawDebug ref unref versions release moduleLoadList domain exitCode _exiting config allowedNodeEnvironmentFlags features env argv execArgv title debugPort ppid _preload_modules report permission permission.has",
    ),
  ),
  outOfScope("gives up rights, and takes none", "process.permission.drop"),
  outOfScope(
    "a descriptor that was open when the program started; whoever started it chose it",
    ...of("process", "stdin stdout stderr openStdin"),
  ),
  outOfScope("gives the guarded objects, as `require` does", "process.getBuiltinModule", "process.mainModule"),
  outOfScope("changes what relative paths mean; a path is resolved when it is judged", "process.chdir"),
  outOfScope(
    "talks with the parent process, by the channel that it opened",
    ...of("process", "send _send disconnect _disconnect channel _channel connected _handleQueue _pendingMessage"),
  ),
  outOfScope("ends this process, or waits in it; starts nothing", ...of("process", "exit reallyExit abort _debugEnd")),
  outOfScope(
    "is of this process's own events and handlers",
    ...of(
      "process",
      "nextTick _tickCallback _fatalException setUncaughtExceptionCaptureCallback hasUncaughtExceptionCaptureCallback finalization finalization.register finalization.registerBeforeExit finalization.unregister _events",
    ),
  ),
  outOfScope(
    "an internal of Node's own start; without arguments of the program's it does nothing",
    ...of("process", "_startProfilerIdleNotifier _stopProfilerIdleNotifier"),
  ),
  outOfScope(
    "changes whose rights this process has, which the kernel judges; a call after it is judged as before",
    ...of("process", "initgroups setgroups setegid seteuid setgid setuid"),
  ),
];
