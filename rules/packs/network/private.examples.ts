import { destinationOf } from "../../network/destination.ts";
import { heldAs, type PrivateTerms } from "../../network/private.ts";
import type { Example, NetworkOptions } from "./options.ts";

/** Spellings of the private network, each by the standard or the known bypass that it is from. */
const inside: readonly string[] = [
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
  "http://printer.local/",
  "http://redis:6379/",
  "http://127.0.0.1.nip.io/",
  "http://10.0.0.1.example.com/",
  "http://example.com@127.0.0.1/",
  "http:127.0.0.1/",
  "http:\\\\127.0.0.1/",
  "//127.0.0.1/",
  "http://\u2460\u2461\u2466.0.0.1/",
  "127.0.0.1:8080/x",
  "ws://127.0.0.1/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "http://256.1.1.1/",
  "https://example.com/?url=http://169.254.169.254/",
  "",
];

const outside: readonly string[] = [
  "https://example.com/",
  "http://8.8.8.8/",
  "http://[2606:4700::1111]/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "wss://example.com/",
  "example.com/a",
  "https://accounts.example.com/auth?client_id=a&redirect_uri=http://localhost:8080/callback",
];

/** Examples that the options of a rule set turn around are left out: they would be wrong there. */
export const privateExamples = (options: NetworkOptions, terms: PrivateTerms): readonly Example[] => {
  const isHeld = (url: string): boolean =>
    heldAs({ place: "url", text: url, how: "asked", destination: destinationOf(url) }, terms) !== null;
  const call = (url: string, expect: Example["expect"]): Example => ({
    event: { action: "fetch", args: { url } },
    expect,
  });
  const plain = options.privateNetwork === "block";
  return [
    ...inside.filter((url) => plain && isHeld(url)).map((url) => call(url, "block")),
    call("http://169.254.169.254/", isHeld("http://169.254.169.254/") ? "block" : "silent"),
    ...outside.filter((url) => !isHeld(url)).map((url) => call(url, "silent")),
    {
      event: { action: "write_file", args: { path: "README.md", content: "Open http://localhost:3000" } },
      expect: "silent",
    },
    { event: { action: "fetch", args: { url: 2130706433 } }, expect: "block" },
    { event: { action: "net.listen", args: { host: "127.0.0.1", port: 3000 } }, expect: "silent" },
  ];
};
