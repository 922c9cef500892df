import type { BoundaryReview } from "./review.ts";

/** The review for a pull request or a job's summary. What a server chose stands in it as text: no link, no markup, no line of its own. */
export const reviewMarkdown = (review: BoundaryReview): string => {
  const { boundary, caps, findings, gate, limitations, observation, review_queue, server, severity_summary } = review;
  const summary = Object.entries(severity_summary).map(([severity, count]) => `${severity} ${count}`);
  return [
    `# MCP boundary review: ${escaped(gate.outcome)}`,
    "",
    escaped(gate.reason),
    "",
    ...table(
      ["", ""],
      [
        ["exit code", `${gate.exit_code}`],
        ["policy", gate.fail_policy],
        ["server", server.server_ref],
        [
          "baseline",
          boundary.snapshot_version === null
            ? boundary.baseline
            : `${boundary.baseline}, version ${boundary.snapshot_version}`,
        ],
        ["approved surface", boundary.approved_surface_hash ?? "none"],
        ["observed surface", boundary.observed_surface_hash ?? "none"],
        ["observation", observation.status],
        ["findings", summary.join(", ")],
      ],
    ),
    "",
    "## Findings",
    "",
    ...(findings.length === 0
      ? ["None."]
      : table(
          ["item", "decision", "severity", "what changed", "where", "observed"],
          findings.map((one) => [
            one.item ?? "server",
            one.decision,
            one.severity,
            one.change_types.join(", "),
            one.paths.join(", "),
            one.observed_tool_hash ?? "not listed",
          ]),
        )),
    ...(caps.findings_left_out === 0 ? [] : ["", `${caps.findings_left_out} more are left out.`]),
    "",
    "## Held already",
    "",
    ...(review_queue.length === 0
      ? ["Nothing that is known here."]
      : table(
          ["item", "status", "decision", "severity", "enforced now"],
          review_queue.map((one) => [
            one.item,
            one.status,
            one.decision,
            one.severity,
            one.enforced_now ? "yes" : "no",
          ]),
        )),
    "",
    "## What this does not say",
    "",
    ...limitations.map((line) => `- ${escaped(line)}`),
    "",
  ].join("\n");
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(escaped))].map((row) => `| ${row.join(" | ")} |`);

/**
 * Every sign that Markdown or HTML could take for its own as an entity, and so the dots and colons of what would become a link by itself.
 * An `@` becomes words: whoever renders it would look for a mention or an address in what entities stand for.
 */
const escaped = (text: string): string =>
  text
    .replaceAll("@", "<U+0040>")
    .replace(/[^A-Za-z0-9 ,;]/gu, (sign) =>
      /[\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(sign) ? `&#${sign.codePointAt(0) as number};` : " ",
    );
