import { count, domain, listOf, oneOf, port, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import { allowList } from "./allow-list.ts";
import { exfiltration } from "./exfiltration.ts";
import { inCommands } from "./in-commands.ts";
import { lookAlike } from "./look-alike.ts";
import { type NetworkOptions, termsOf } from "./options.ts";
import { privateNetwork } from "./private.ts";
import { recipients } from "./recipients.ts";
import { redirected } from "./redirected.ts";
import { scanNetwork } from "./scan.ts";
import { sockets } from "./sockets.ts";

export type { NetworkOptions } from "./options.ts";

const starter: NetworkOptions = Object.freeze({
  allowDomains: [],
  allowRecipients: [],
  collectors: [],
  privateNetwork: "block",
  schemes: ["http", "https", "ws", "wss", "data", "about", "s3", "gs", "git", "ssh", "git+https", "git+ssh"],
  ports: [],
  encodedTextBytes: 256,
});

const strict: NetworkOptions = Object.freeze({
  ...starter,
  schemes: ["http", "https", "ws", "wss"],
  ports: [80, 443, 8080, 8443],
  encodedTextBytes: 48,
});

/** Where calls go. The parsing is in rules/network, one question a file; the rules here say what an answer means. */
export const network = definePack<NetworkOptions>({
  id: "network",
  notes: {
    title:
      "Where calls go: the private network, cloud metadata, sockets, look-alike hosts, allow-lists, and data that leaves by an address",
    stops: [
      "Addresses of the machine, its neighbours and cloud metadata, anywhere in the arguments of any tool, in every spelling that a URL parser takes: numbers, hex, octal, IPv6 that carries IPv4, full-width digits, backslashes, user names before @.",
      "Names that lead inside: without a dot, .local, .internal, container and cluster names, wildcard names such as nip.io, names with a private address in them.",
      "URLs that carry such an address in their query, fragment or path; results of a fetch that was redirected to one.",
      "Sockets that grant the machine: container engines, D-Bus, agents of ssh and gpg, X11; any socket where a connection is made to it.",
      "Schemes that read files or speak to other servers (file, gopher, dict, ldap, jar, javascript), and ports of other protocols.",
      "Hosts that look like another by letters of other scripts, and a host written as a user name.",
      "Data in the labels of a host; text hidden by encoding it in a path or query; services that collect, tunnel or publish what is sent.",
      "With allowDomains or allowRecipients: every other host or recipient.",
    ],
    cannot: [
      "It does not resolve names: a public name that answers with a private address is seen only by the process guard, whose net.dial event carries the address that is connected to.",
      "A server that redirects is followed by the tool before the result is judged: the result is withheld, the request was made.",
      "An address that a command computes while it runs is not known before.",
      "A text of a chat message or file may speak of http://localhost:3000; nobody goes there, so it passes.",
      "Short or encrypted data in the query of an ordinary host looks like any other parameter; an allow-list is what stops it.",
    ],
    tune: [
      "allowHosts of the rule set names what may be reached inside, with its port: localhost:3000.",
      'privateNetwork: "escalate" asks about the private network; cloud metadata stays blocked.',
      "allowDomains closes everything but a list; a registrable domain (example.com) holds what is below it, api.example.com only itself.",
      "collectors adds domains of your own to those that are refused.",
    ],
  },
  options: {
    allowDomains: { what: "Domains that may be reached; empty: all public ones.", takes: listOf(domain) },
    allowRecipients: { what: "Domains or addresses that mail may go to; empty: all.", takes: listOf(text) },
    collectors: { what: "Further domains that collect what is sent to them.", takes: listOf(domain) },
    privateNetwork: {
      what: "What becomes of a call into the private network.",
      takes: oneOf("block", "escalate"),
    },
    schemes: {
      what: "Schemes that a fetching tool may be given.",
      takes: listOf(text),
    },
    ports: {
      what: "Ports that a fetching tool may be given; empty: all but those of other protocols.",
      takes: listOf(port),
    },
    encodedTextBytes: {
      what: "From so many bytes, text encoded in a path or query is asked about.",
      takes: count,
    },
  },
  tiers: { starter, strict },
  scan: scanNetwork,
  rules(options, around) {
    const terms = termsOf(options, around);
    return [
      sockets(terms),
      privateNetwork(options, terms),
      lookAlike(options),
      allowList(options, terms),
      recipients(options),
      exfiltration(options, terms),
      inCommands(options, terms),
      redirected(terms),
    ];
  },
});
