import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const clientPython = fileURLToPath(new URL("../../client-python", import.meta.url));

/** Python's package is found there, and leaves no compiled files beside its sources. */
export const pythonEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PYTHONPATH: clientPython,
  PYTHONDONTWRITEBYTECODE: "1",
};

/** The interpreter, 3.9 or newer. Throws where there is none: a client that was not tested is not known to be safe. */
export const python = (): string => {
  let version: string;
  try {
    version = execFileSync("python3", ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"], {
      encoding: "utf8",
    });
  } catch {
    throw new Error("python3 is missing: install Python 3.9 or newer (apt-get install python3, brew install python)");
  }
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  if (major === 3 && minor >= 9) return "python3";
  throw new Error(`python3 is ${version.trim()}: install Python 3.9 or newer`);
};

/** The command of Python's client behind the line protocol. */
export const pythonClientCommand = (): string => `exec ${python()} -m interlock_guard.conformance`;
