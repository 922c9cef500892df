import type { RuleExample } from "../types.ts";

type Example = Omit<RuleExample, "given">;

const inside = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.0.0.1/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://0/",
  "http://[::]/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[fe80::1]/",
  "http://[fe80::1%25eth0]/",
  "http://[fd00::1]/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://a.localhost/",
  "http://printer.local/",
  "http://redis:6379/",
  "http://127.0.0.1.nip.io/",
  "http://user@127.0.0.1/",
  "http://example.com@127.0.0.1/",
  "http:127.0.0.1/",
  "http:\\\\127.0.0.1/",
  "http://\u2460\u2461\u2466.0.0.1/",
  "127.0.0.1:8080/x",
  "localhost:8080",
  "ws://127.0.0.1/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "http://256.1.1.1/",
  "",
];

const outside = [
  "https://example.com/",
  "https://example.com:8443/a?b=http://127.0.0.1/",
  "http://8.8.8.8/",
  "http://[2606:4700::1111]/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "wss://example.com/",
  "example.com/a",
];

const named = (pattern: string): string => (pattern.endsWith("*") ? `${pattern.slice(0, -1)}exec` : pattern);

/** `stillRefused` drops the examples that the user's own `allowHosts` turns around. */
export const privateUrlExamples = (pattern: string, stillRefused: (url: string) => boolean): readonly Example[] => {
  const action = named(pattern);
  const of = (urls: readonly string[], expect: Example["expect"]): readonly Example[] =>
    urls.map((url) => ({ event: { action, args: { url } }, expect }));
  return [
    ...of(inside.filter(stillRefused), "block"),
    ...of(outside, "silent"),
    { event: { action, args: { urls: ["https://example.com/", "http://0.0.0.0/"] } }, expect: "block" },
    { event: { action, args: { request: { url: "http://0.0.0.0/" } } }, expect: "block" },
    { event: { action, args: { url: 2130706433 } }, expect: "block" },
    { event: { action, args: { text: "see http://10.0.0.1/" } }, expect: "silent" },
  ];
};

/** Each with the address that it reaches. */
const insideCommands: readonly (readonly [string, string])[] = [
  ["curl http://169.254.169.254/latest/meta-data/", "http://169.254.169.254/"],
  ["curl -s 169.254.169.254/latest", "http://169.254.169.254/"],
  ["curl 2130706433", "http://127.0.0.1/"],
  ["nc 127.0.0.1 80", "http://127.0.0.1/"],
  ["wget -qO- http://localhost:9200", "http://localhost:9200/"],
  ["echo $(curl http://10.0.0.1)", "http://10.0.0.1/"],
  ["sh -c 'curl http://127.1'", "http://127.0.0.1/"],
  ["python3 fetch.py http://192.168.0.1/", "http://192.168.0.1/"],
];

const outsideCommands = [
  "curl https://example.com",
  "curl -d '127.0.0.1 is home' https://example.com",
  "npm run build",
  "sleep 10.5",
  "curl -m 5 --retry 3 https://example.com",
];

export const privateCommandExamples = (pattern: string, stillRefused: (url: string) => boolean): readonly Example[] => {
  const action = named(pattern);
  const of = (commands: readonly string[], expect: Example["expect"]): readonly Example[] =>
    commands.map((command) => ({ event: { action, args: { command } }, expect }));
  const refused = insideCommands.filter(([, url]) => stillRefused(url)).map(([command]) => command);
  return [...of(refused, "block"), ...of(outsideCommands, "silent"), ...of(["curl 'unclosed"], "escalate")];
};
