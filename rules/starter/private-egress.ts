import ipaddr from "ipaddr.js";
import type { WireObject, WireValue } from "../../wire/value.ts";
import { block, escalate } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { defineRule } from "../define.ts";
import { argumentsNamed, tooManyArguments } from "../paths/named-arguments.ts";
import { commandActions, commandsIn } from "../shell/command-arguments.ts";
import { Unparseable } from "../shell/parse.ts";
import type { Script } from "../shell/script.ts";
import { privateCommandExamples, privateUrlExamples } from "./private-egress.examples.ts";
import { isPrivateHost } from "./private-host.ts";

export interface PrivateEgressOptions {
  /**
   * Hosts of the private network that may be reached, as a URL has them: `localhost:3000`, `10.0.0.5`; sockets of this machine by
   * their whole path.
   */
  readonly allowHosts?: readonly string[];
  readonly actions?: readonly string[];
}

const urlActions: readonly string[] = Object.freeze([
  "fetch",
  "fetch_url",
  "http_request",
  "web_fetch",
  "WebFetch",
  "browser_navigate",
  "puppeteer_navigate",
  "http.*",
  "https.*",
  "net.*",
]);

const names: ReadonlySet<string> = new Set([
  "url",
  "urls",
  "uri",
  "href",
  "endpoint",
  "baseurl",
  "link",
  "links",
  "host",
  "hostname",
  "address",
  "socketpath",
]);
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "ws:", "wss:"]);

/**
 * Requests into the private network: cloud metadata, the machine itself, its neighbours. The URL is read by the parser
 * that fetch uses, so `2130706433`, `0x7f.0.0.1` and `127.1` are what they are. A public name that resolves to a
 * private address, and a redirect, are not seen here; the network itself must refuse those.
 */
export const privateEgress = ({ allowHosts = [], actions = urlActions }: PrivateEgressOptions = {}): DefinedRule => {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
  return defineRule({
    id: "starter.private-egress",
    actions,
    phase: "call",
    evaluate(event) {
      // Whoever listens is reached, and reaches nothing.
      if (event.action === "net.listen") return undefined;
      const addresses = argumentsNamed(names, event.args, "input");
      if (addresses === null) return block(tooManyArguments);
      const socket = localSocket(event);
      if (socket !== null && !(typeof socket === "string" && allowed.has(socket.toLowerCase())))
        return block("it reaches a socket of this machine", { attributedTo: "path" });
      const isNamed = isNamedConnection(event, allowed);
      for (const { place, value } of addresses) {
        if (value === null || (isNamed && (place === "host" || place === "address"))) continue;
        const reason = typeof value === "string" ? refusal(value, allowed) : "it is not an address";
        if (reason !== null) return block(reason, { attributedTo: place });
      }
      return undefined;
    },
    examples: privateUrlExamples(actions[0]!, (url) => refusal(url, allowed) !== null),
  });
};

/** `docker.sock`, an ssh agent's, D-Bus: whoever may speak to them has what they have. Where its path leads counts. */
const localSocket = ({ action, args }: { readonly action: string; readonly args: WireObject }): WireValue =>
  action.startsWith("net.") ? (args.resolved_path ?? args.path ?? null) : null;

/**
 * Node's own connections have host and port apart, and `net.dial` the address beside the host that led to it: one to a named
 * host is let through with whatever address that host has.
 */
const isNamedConnection = (
  { action, args: { host, port } }: { readonly action: string; readonly args: WireObject },
  allowed: ReadonlySet<string>,
): boolean => {
  if (!action.startsWith("net.") || typeof host !== "string") return false;
  const name = inUrl(host).toLowerCase();
  return allowed.has(name) || (typeof port === "number" && allowed.has(`${name}:${port}`));
};

/** An IPv6 address stands in brackets in a URL, and without them in a connection. */
const inUrl = (host: string): string => (ipaddr.IPv6.isValid(host) ? `[${host}]` : host);

/** The same for addresses in commands: `curl 169.254.169.254`, `wget http://localhost`. */
export const privateEgressInCommands = ({
  allowHosts = [],
  actions = commandActions,
}: PrivateEgressOptions = {}): DefinedRule => {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
  return defineRule({
    id: "starter.private-egress-in-commands",
    actions,
    phase: "call",
    async evaluate(event) {
      try {
        for (const { name, script } of await commandsIn(event.action, event.args))
          if (addressesIn(script).some((address) => refusal(address, allowed) !== null))
            return block("it reaches into the private network", { attributedTo: name });
        return undefined;
      } catch (error) {
        if (!(error instanceof Unparseable)) throw error;
        return escalate("the command cannot be parsed");
      }
    },
    examples: privateCommandExamples(actions[0]!, (url) => refusal(url, allowed) !== null),
  });
};

const downloads: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "wget2",
  "http",
  "https",
  "xh",
  "lynx",
  "aria2c",
  "nc",
  "ncat",
  "telnet",
]);

/** Addresses in words, after `=` in a word, and in bash's `/dev/tcp/HOST/PORT`. */
const addressesIn = ({ commands, redirects }: Script): readonly string[] => [
  ...redirects.flatMap(({ target }) => /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.text)?.[1] ?? []),
  ...commands.flatMap(({ name, args }) =>
    args
      .flatMap(({ text }) => (text.startsWith("-") && text.includes("=") ? text.slice(text.indexOf("=") + 1) : text))
      .filter((text) => isAddressWord(name, text))
      // What a download program reaches by another protocol is judged by its host.
      .map((text) => (downloads.has(name) ? text.replace(/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i, "http://") : text)),
  ),
];

/** Any word that is a URL of the web, and what a download program is given without a scheme where a number or localhost leads. */
const isAddressWord = (program: string, text: string): boolean => {
  if (/\s/.test(text)) return false;
  if (/^(?:https?|wss?):/i.test(text)) return true;
  // A private IPv4 address as one number has nine or ten digits.
  if (downloads.has(program) && /^(?:\d{9,10}|0[/:].*|(?!file:)[a-z][a-z0-9+.-]*:\/\/.*)$/i.test(text)) return true;
  return (
    downloads.has(program) && /^(?:[0-9[]|localhost)/i.test(text) && /[.:x\u3002\uff0e\uff61]|localhost/i.test(text)
  );
};

const refusal = (text: string, allowed: ReadonlySet<string>): string | null => {
  const url = parse(inUrl(text));
  if (url === null) return "it is not an address that can be judged";
  if (!schemes.has(url.protocol)) return "only http, https, ws and wss addresses are judged; others are refused";
  const named = allowed.has(url.host.toLowerCase()) || allowed.has(url.hostname.toLowerCase());
  return !named && isPrivateHost(url.hostname) ? "it reaches into the private network" : null;
};

/** Tools add `http://` to a bare host, and so does this; `localhost:80` is a host and not the scheme `localhost:`. */
const parse = (text: string): URL | null => {
  const whole = URL.canParse(text) ? new URL(text) : null;
  if (whole !== null && (schemes.has(whole.protocol) || text.includes("://") || whole.host !== "")) return whole;
  if (whole !== null && !/^[^/?#]*:\d/.test(text)) return whole;
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
};
