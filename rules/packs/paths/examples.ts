import type { RuleExample } from "../../types.ts";

type Example = Omit<RuleExample, "given">;

const each = (expect: Example["expect"], ...events: readonly Example["event"][]): readonly Example[] =>
  events.map((event) => ({ event, expect }));
const read = (path: string): Example["event"] => ({ action: "read_file", args: { path } });
const write = (path: string): Example["event"] => ({ action: "write_file", args: { path, content: "x" } });

export const protectedExamples: readonly Example[] = Object.freeze([
  ...each(
    "block",
    read("/srv/app/.env"),
    read("/srv/app/.ENV.production"),
    read("/home/a/tmp/../.ssh/id_ed25519"),
    read("/home/a//.aws//credentials"),
    read("file:///srv/app/%2Eenv"),
    read(`/proc/self/${"root"}/etc/shadow`),
    read("/srv/app/\uff0eenv"),
    read("C:\\Users\\a\\.ssh\\id_rsa::$DATA"),
    { action: "load_document", args: { location: "~/.ssh/id_rsa" } },
    { action: "mcp.read_resource", args: { uri: "file:///etc/passwd" } },
    { action: "run", args: { options: [{ input: 1, extra: ["--config=/etc/shadow"] }] } },
    write("/srv/app/.git/hooks/pre-commit"),
    write("/home/a/.ssh/authorized_keys"),
  ),
  ...each("escalate", write("/home/a/.bashrc"), write("/srv/app/.claude/settings.json"), write("/srv/app/.git/config")),
  ...each(
    "silent",
    read("/srv/app/.env.example"),
    read("/home/a/.ssh/id_ed25519.pub"),
    read("/srv/app/src/environment.ts"),
    write("/srv/app/.gitignore"),
    write("/srv/app/package.json"),
    { action: "write_file", args: { path: "/srv/app/notes.md", content: "~/.ssh/id_rsa" } },
    { action: "grep", args: { pattern: "/etc/passwd", path: "/srv/app/src" } },
  ),
]);

export const traversalExamples: readonly Example[] = Object.freeze([
  ...each(
    "block",
    { action: "fetch_doc", args: { name: "..%2f..%2fetc%2fhosts" } },
    { action: "fetch_doc", args: { path: "%252e%252e%252fx" } },
    { action: "fetch_doc", args: { path: "..%c0%afx" } },
    { action: "fetch_doc", args: { path: "....//....//x" } },
    { action: "fetch_doc", args: { path: "..\\..\\windows\\win.ini" } },
    { action: "fetch_doc", args: { path: "report.pdf\0.png" } },
    { action: "extract_archive", args: { archive: "a.zip", members: ["ok.txt", "../../x"] } },
  ),
  ...each(
    "silent",
    { action: "fetch_doc", args: { path: "docs/a.md" } },
    { action: "fetch_doc", args: { path: "100%25.md" } },
    { action: "fetch_doc", args: { path: "a..b/c...md" } },
    { action: "write_file", args: { path: "a.ts", content: 'import x from "../../b.ts";' } },
    { action: "extract_archive", args: { archive: "a.zip", members: ["a/b.txt"] } },
  ),
]);
