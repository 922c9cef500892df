import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Source } from "../suite.ts";
import { command } from "./command.ts";
import { SuiteRefusal } from "./refusal.ts";

/** The releases that the pinned source packages are in. */
const releases = ["bookworm", "trixie"];
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** `apt-get source` with lists of its own, read once a run: the machine's are not touched, nor another run's. */
let lists: Promise<Readonly<Record<string, string>>> | null = null;

const readLists = async (): Promise<Readonly<Record<string, string>>> => {
  const own = await mkdtemp(join(tmpdir(), "il-apt-"));
  process.once("exit", () => rmSync(own, { recursive: true, force: true }));
  const sites = await command("apt-get", ["indextargets", "--format", "$(SITE)", "Created-By: Packages"], {
    cwd: own,
  });
  const site = sites.split("\n").find((line) => line.endsWith("/debian"));
  if (site === undefined)
    throw new SuiteRefusal("apt-get names no Debian archive; run this where Debian's packages are set up");
  for (const part of ["sources", "lists/partial", "archives/partial"])
    await mkdir(join(own, part), { recursive: true });
  await writeFile(
    join(own, "sources/archive.sources"),
    `Types: deb-src\nURIs: ${site}\nSuites: ${releases.join(" ")}\nComponents: main\nSigned-By: ${keyring}\n`,
  );
  await writeFile(
    join(own, "apt.conf"),
    `Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "${own}/sources";
Dir::State::lists "${own}/lists";
Dir::Cache "${own}";
APT::Sandbox::User "root";
Acquire::Retries "3";
`,
  );
  const env = { APT_CONFIG: join(own, "apt.conf") };
  await command("apt-get", ["update", "-qq"], { cwd: own, env });
  return env;
};

/** Brings a source package's upstream archive; its path. */
export const debianArchive = async (
  { name, version, archive }: Extract<Source, { kind: "debian" }>,
  folder: string,
): Promise<string> => {
  lists ??= readLists();
  const env = await lists;
  const known = await command("apt-cache", ["showsrc", "--only-source", name], { cwd: folder, env });
  // Debian's own revisions of it come and go; the upstream archive is the same.
  const revision = known.split("\n").find((line) => line.startsWith(`Version: ${version}-`));
  if (revision === undefined) throw new SuiteRefusal(`${releases.join(" and ")} have no ${name} ${version}`);
  const wanted = `${name}=${revision.slice("Version: ".length)}`;
  const args = ["source", "--download-only", "--tar-only", "--only-source", "-qq", wanted];
  const path = join(folder, archive);
  // A source package has further archives that are not needed here, and not in every mirror.
  await command("apt-get", args, { cwd: folder, env }).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
  });
  return path;
};
