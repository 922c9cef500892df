/** A way around the guard that is known and not closed. docs/coverage.md lists them, in this order. */
export interface DeclaredLimit {
  /** Short, in kebab case; it stays the same. */
  readonly id: string;
  /** What gets through, in one or two sentences. */
  readonly what: string;
  /** Why it is not caught. */
  readonly why: string;
  /** What to do about it. */
  readonly instead: string;
}

export const declaredLimits: readonly DeclaredLimit[] = [
  {
    id: "native-code",
    what: "A native addon, once `process.dlopen` was allowed, does what it likes, and so does a library that `LD_PRELOAD` or `OPENSSL_CONF` loads into a child.",
    why: "The guard stands in front of Node's functions; native code calls the kernel.",
    instead:
      "Block `process.dlopen` except for addons you know, and such variables in `options.env` of `child_process.*`.",
  },
  {
    id: "other-programs",
    what: "A program that is not Node does what it likes, and a shell can make up a name as it runs: `env -i` that is put together from parts, say.",
    why: "A start is judged by its words. What a program does afterwards happens in another process, which Node does not see.",
    instead:
      "Allow programs by name in rules for `child_process.*`; run the agent under a user or in a container of its own.",
  },
  {
    id: "program-name",
    what: "A program that is started by another name, a link to it or a copy of it, is judged by that name.",
    why: "What lies behind a command's name is looked up by the kernel, with the child's own `PATH` and folder.",
    instead: "In rules for `child_process.*`, allow programs by name; do not block them by name.",
  },
  {
    id: "hard-link",
    what: "A hard link that was there before is a name of its own: rules about the file's other names do not see it.",
    why: "Neither name leads to the other. One that the program makes is asked for as `fs.link`.",
    instead: "Keep protected files on a file system, or in a folder, in which the agent's user can make no links.",
  },
  {
    id: "taken-before",
    what: "A function that a program took from `fs` or another builtin before `installInterceptors` was called is not asked for.",
    why: "It is the original, and the guard cannot see who has it.",
    instead: "Start with `--import interlock-guard/esm-hook`: nothing of the program's runs before it.",
  },
  {
    id: "installed-late",
    what: "In a program that calls `installInterceptors` itself, code that alters JavaScript's intrinsics or Node's classes (`Reflect.apply`, `Promise.prototype`) reaches the guard.",
    why: "That guard is made of the program's own. The preload's runs in a realm that no code of the program's runs in.",
    instead: "Start with `--import interlock-guard/esm-hook`.",
  },
  {
    id: "inside-of-a-walk",
    what: "Code of the program's that runs inside of `fs.cp`, `fs.rm` or `fs.glob` (a method of `fs.Stats` that it replaced, an `async_hooks` hook) can use the functions that these use, on the paths that they were called with. Inside of `fs.realpath` it can look at any path with `stat`, `lstat` and `readlink`.",
    why: "Node's own steps are not asked for once more, and nothing tells who calls.",
    instead:
      "Judge `fs.cp`, `fs.rm` and `fs.glob` as the most that can be done on their paths; keep no secret in the name of a file.",
  },
  {
    id: "swapped-link",
    what: "Calls that open no file (`stat`, `readdir`, `rename`, `copyFile`), databases of `node:sqlite`, and what Node writes by itself follow a link or folder that another program swaps between the guard's last look at a path and the system call. Calls that open one are judged by what they opened; a file that such an open makes in a swapped folder is empty, and stays.",
    why: "They work on a name, and Node has no `openat`.",
    instead:
      "Keep folders that an agent may write apart from those that rules protect; `open` first, and use the descriptor.",
  },
  {
    id: "tree-walks",
    what: "`fs.cp`, `fs.rm`, `fs.glob` and their kin are judged on what they are called with, not on each file that they find.",
    why: "One call of the program's is one question.",
    instead: "In rules for them, block every folder that has a protected one inside of it.",
  },
  {
    id: "recursive-watch",
    what: "A recursive `fs.watch` on Linux has begun before each folder in it was asked for.",
    why: "Node reaches them one after the other, later.",
    instead: "Judge the folder that is watched.",
  },
  {
    id: "stream-data",
    what: "Data that is written by a stream or a generator is not shown to rules; of data beyond 64 KiB they see its length and digest.",
    why: "It does not exist yet when the file is opened.",
    instead: "Judge by path.",
  },
  {
    id: "open-connections",
    what: "A request on a connection that is open already is not asked for where a program uses undici's global dispatcher itself.",
    why: "`http.fetch` is asked where `fetch` is called; beneath it the connection is what is judged.",
    instead: "Judge `net.connect` and `net.dial` by host.",
  },
  {
    id: "descriptors",
    what: "What is read, written and changed (`fchmod`, `fchown`) by a descriptor is not asked for: one that was judged when it was opened, one that was open when the program started, or a number that the program guessed.",
    why: "A descriptor has no name that a rule could read.",
    instead: "Start the program with no descriptors beyond stdin, stdout and stderr.",
  },
  {
    id: "child-flags",
    what: "Flags and variables of Node that make a child read or write files (`--cpu-prof-dir`, `--env-file`, `--experimental-sea-config`, `NODE_V8_COVERAGE`) are judged with its start, not as files.",
    why: "Node reads them before any preload.",
    instead: "In rules for `child_process.*`, allow Node only with arguments and variables that you know.",
  },
  {
    id: "before-preload",
    what: "What Node loads before the guard is not guarded until it is there: what `--require` names before it; with `--import interlock-guard/esm-hook` also what `--require` and `--experimental-loader` name, and the reporters and the global setup of `node --test`; with `--test-isolation=none`, on Node 24, the latter two in any case.",
    why: "Node decides the order. Children of a guarded program load the guard first; one with `--test-isolation=none` is refused.",
    instead:
      "Start with `--require interlock-guard/require-hook` as the first option, no `NODE_OPTIONS`, and for `node --test` a process for each test file.",
  },
  {
    id: "compile-cache",
    what: "A program that is started with `NODE_COMPILE_CACHE` loads the guard from that folder, too: an earlier program that could write there can have put other code in the guard's place.",
    why: "Node looks there before any preload. Threads and children of a guarded program are started without one, and `env: SHARE_ENV` gives a thread a copy.",
    instead:
      "Start guarded programs without `NODE_COMPILE_CACHE`; `module.enableCompileCache()` in the program does the same, and is asked for.",
  },
  {
    id: "source-maps",
    what: "Where source maps are on (`--enable-source-maps`, `process.setSourceMapsEnabled`), Node prints, with an error that nobody catches, a line of the file that the source map names.",
    why: "Node took its own `readFileSync` before any preload, and reads the line as the process ends.",
    instead: "Start programs without source maps, or do not hand an agent what a child writes to stderr.",
  },
  {
    id: "signal-debugger",
    what: "SIGUSR1 opens the debugger's port of a Node process when another program sends it, a shell say, or when a program sends it to its child. Whoever connects there reaches beneath the guard.",
    why: "The signal comes from the kernel. A program that signals itself is refused; of another process the guard does not know whether it is Node's.",
    instead: "Start with `--disable-sigusr1` where Node has it, and block `net.connect` to port 9229.",
  },
  {
    id: "internal-handles",
    what: "Objects of Node's own behind private names (`_handle` of a watcher) can watch a path that was not judged: they tell that it changes, and give none of its text.",
    why: "Their classes are not exports. Those that open, run or connect are guarded; those that watch are not.",
    instead: "Block `fs.watch` and `fs.watchFile` where nothing needs them.",
  },
  {
    id: "existence",
    what: "`require.resolve` and `module.findPackageJSON` tell whether a file is there, and read fields of a `package.json`.",
    why: "Node looks modules up without `fs`.",
    instead: "Do not keep secrets in names of files, or in a `package.json`.",
  },
  {
    id: "own-memory",
    what: "A program can read its own memory (`v8.getHeapSnapshot`), in which a token of the engine is.",
    why: "The guard lives in the process that it guards.",
    instead: "Bind the principal to the socket and not to a token.",
  },
  {
    id: "windows-paths",
    what: "On Windows, paths are resolved by the rules of POSIX.",
    why: "It is not built yet.",
    instead: "Guard programs on Linux or macOS.",
  },
];
