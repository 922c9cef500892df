/**
 * What the name of an argument says of its text. `path`: it names a file, so a bare name counts; so it does in a `reference`, which may name something else. `pattern`: a glob. `prose`: what is
 * written or searched for, where a path is only spoken of. `other`: it counts where its text is evidently a path.
 */
export type ArgumentClass = "path" | "reference" | "pattern" | "prose" | "other";

const paths: ReadonlySet<string> = new Set([
  "path",
  "paths",
  "file",
  "files",
  "filename",
  "filenames",
  "filepath",
  "filepaths",
  "dir",
  "dirs",
  "directory",
  "directories",
  "folder",
  "folders",
  "source",
  "src",
  "destination",
  "dest",
  "dst",
  "target",
  "prefix",
  "oldpath",
  "newpath",
  "existingpath",
  "output",
  "outputfile",
  "outfile",
  "infile",
  "inputfile",
  "location",
  "uri",
  "resource",
  "resources",
  "document",
  "documents",
  "attachment",
  "attachments",
  "archive",
  "logfile",
  "configfile",
  "keyfile",
  "certfile",
  "cwd",
  "workdir",
  "entrypoint",
  "members",
  "entries",
  "notebook",
  "linkpath",
]);
/** These name files at times, and more often hosts, people and places. */
const references: ReadonlySet<string> = new Set([
  "sources",
  "uris",
  "url",
  "href",
  "root",
  "image",
  "template",
  "from",
  "to",
  "link",
  "cert",
]);
const endings = ["path", "paths", "file", "files", "filename", "dir", "directory", "folder", "uri", "location"];

const patterns: ReadonlySet<string> = new Set([
  "glob",
  "globs",
  "include",
  "includes",
  "globpattern",
  "filepattern",
  "patterns",
]);
const prose: ReadonlySet<string> = new Set([
  "content",
  "contents",
  "text",
  "body",
  "message",
  "messages",
  "msg",
  "description",
  "title",
  "subject",
  "query",
  "prompt",
  "regex",
  "question",
  "answer",
  "comment",
  "comments",
  "note",
  "notes",
  "summary",
  "reason",
  "instructions",
  "instruction",
  "oldstring",
  "newstring",
  "oldtext",
  "newtext",
  "oldstr",
  "newstr",
  "filetext",
  "html",
  "markdown",
  "code",
  "sql",
  "search",
  "replace",
  "excludepatterns",
  "exclude",
  "excludes",
  "ignore",
  "diff",
  "patch",
  "data",
  "thought",
  "plan",
  "todo",
  "todos",
  "command",
  "input",
  "cmd",
  "pattern",
  "label",
  "labels",
]);

export const argumentClass = (name: string): ArgumentClass => {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = classOf(name.toLowerCase().replaceAll(/[-_]/g, ""));
  if (known.size < maxKnown && name.length < 128) known.set(name, found);
  return found;
};

const known = new Map<string, ArgumentClass>();
const maxKnown = 5_000;

const classOf = (name: string): ArgumentClass => {
  if (paths.has(name)) return "path";
  if (references.has(name)) return "reference";
  if (patterns.has(name)) return "pattern";
  if (prose.has(name)) return "prose";
  if (name.endsWith("includepattern") || name.endsWith("filespattern")) return "pattern";
  return endings.some((ending) => name.endsWith(ending)) ? "path" : "other";
};

/** A text that no other thing than a path begins like, alone on its line: `/etc/x`, `~/x`, `../x`, `file:`, `C:\x`, `@/etc/x`, `--config=/x`. */
export const pathShape = (text: string): string | null => {
  const found =
    /^(?:@|-{1,2}[\w-]{1,40}=|[\w.-]{1,40}=@?)?((?:\/|~[\w.-]{0,32}\/|\.{1,2}(?:[\\/]|%)|\.{4}[\\/]|file:|[A-Za-z]:[\\/]|\\\\|%2[ef]|%252[ef]|\$\{?HOME).{0,4095})$/i.exec(
      text,
    );
  return found?.[1] ?? null;
};
