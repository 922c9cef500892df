import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { python } from "../../python/python.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const commands = ["interlock", "interlock-sidecar"];

/** Python itself: what stands on the path may be a script that looks for a home. */
const interpreter = (): string =>
  execFileSync(python(), ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();

/** What a reader has who installed the packages: the commands, the modules, and a home of their own. */
export class Workspace {
  /** Where a document's commands run and its files are written. */
  readonly folder: string;
  readonly logFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #base: string;

  constructor() {
    // A short path: sockets made below it have to fit 107 bytes.
    this.#base = mkdtempSync(join(tmpdir(), "ilk-"));
    const inBase = (name: string): string => {
      const path = join(this.#base, name);
      mkdirSync(path, { mode: 0o700 });
      return path;
    };
    this.folder = inBase("work");
    this.logFolder = inBase("log");
    const bin = inBase("bin");
    for (const name of commands) {
      const script = join(root, "dist/bin", `${name}.js`);
      if (existsSync(script)) symlinkSync(script, join(bin, name));
    }
    symlinkSync(interpreter(), join(bin, "python3"));
    const home = inBase("home");
    this.environment = {
      PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, ".local/state"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_RUNTIME_DIR: inBase("run"),
      TMPDIR: inBase("tmp"),
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      PYTHONPATH: join(root, "client-python"),
      PYTHONDONTWRITEBYTECODE: "1",
      npm_config_update_notifier: "false",
    };
    this.#linkModules();
    writeFileSync(join(this.folder, "package.json"), '{ "type": "module", "private": true }\n');
  }

  #linkModules(): void {
    const modules = join(this.folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    // `npx tsx file.ts` and the like.
    symlinkSync(join(root, "node_modules/.bin"), join(modules, ".bin"));
    for (const [name, path] of [
      ["interlock", root],
      ["interlock-guard", join(root, "client-node")],
    ] as const) {
      rmSync(join(modules, name), { force: true });
      symlinkSync(path, join(modules, name));
    }
  }

  /** Writes a document's file; the name is a path inside the folder. */
  write(name: string, text: string): void {
    const inside = normalize(name);
    if (isAbsolute(inside) || inside.startsWith("..")) throw new Error(`file=${name} leaves the document's folder`);
    const path = join(this.folder, inside);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Type-checks one file as a project of a reader would. Throws with the compiler's words. */
  checkTypes(name: string): void {
    const settings = {
      compilerOptions: {
        target: "es2023",
        module: "nodenext",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ["node"],
      },
      files: [name],
    };
    writeFileSync(join(this.folder, "tsconfig.docs.json"), JSON.stringify(settings));
    this.#mustRun(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.docs.json"]);
  }

  /** Parses one JavaScript file. Throws with Node's words. */
  checkSyntax(name: string): void {
    this.#mustRun(process.execPath, ["--check", name]);
  }

  /** Compiles one Python file. Throws with Python's words. */
  checkPython(name: string): void {
    const program = "import sys; compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec')";
    this.#mustRun("python3", ["-c", program, name]);
  }

  #mustRun(command: string, args: readonly string[]): void {
    try {
      execFileSync(command, args, { cwd: this.folder, stdio: "pipe", env: this.environment });
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
      throw new Error(`${stdout ?? ""}${stderr ?? ""}`.trim() || String(error));
    }
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}
