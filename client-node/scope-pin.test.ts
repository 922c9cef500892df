import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generateKeyPair, type PrivateKey } from "../daemon/keys/private-key.ts";
import { cosignDocument, signDocument } from "../daemon/keys/sign-document.ts";
import { scopePin } from "../wire/scope-pin.ts";
import { type DocumentKind, signedDocumentText } from "../wire/signed-document.ts";
import type { RemoteEngineOptions } from "./engine-options.ts";
import { SignedFileRefused } from "./signed-file.ts";
import { engineFor, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, everyFeature, type Script, socketPath, welcome } from "./testing/scripted-daemon.ts";

const directory = mkdtempSync(join(tmpdir(), "il-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;
const put = (text: string | Uint8Array): string => {
  const path = join(directory, `${++files}`);
  writeFileSync(path, text);
  return path;
};

const pemOf = ({ object, publicKey }: PrivateKey, kind: "public" | "private"): string =>
  kind === "public"
    ? publicKey.object.export({ format: "pem", type: "spki" }).toString()
    : object.export({ format: "pem", type: "pkcs8" }).toString();

const pemOfPoint = (hex: string): string => {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(hex, "hex")]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString("base64")}\n-----END PUBLIC KEY-----\n`;
};

const key = generateKeyPair();
const other = generateKeyPair();
const keyFile = put(pemOf(key, "public"));
const payload = '{"id":"acme","not_after":"2999-01-01T00:00:00Z","v":1}';
const textOf = (signed = payload, by: PrivateKey = key, kind: DocumentKind = "scopes"): string =>
  signedDocumentText(signDocument(kind, signed, by));
const scopeFile = put(textOf());

const refusal = (options: RemoteEngineOptions): unknown => {
  try {
    engineFor(socketPath(), options);
    return null;
  } catch (error) {
    return error instanceof SignedFileRefused ? error.code : `${error}`;
  }
};

describe("the files are read and verified once, at construction", () => {
  test("a document that a given key has signed", () => {
    expect(refusal({ scopeFile, scopeKeyFile: keyFile })).toBeNull();
  });

  test("of two signers one given key is enough", () => {
    const both = cosignDocument(signDocument("scopes", payload, other), key);
    expect(refusal({ scopeFile: put(signedDocumentText(both)), scopeKeyFile: keyFile })).toBeNull();
  });

  const refused: Readonly<Record<string, readonly [code: string, options: RemoteEngineOptions]>> = {
    "a document that is not there": ["unreadable", { scopeFile: join(directory, "none"), scopeKeyFile: keyFile }],
    "a directory for a document": ["unreadable", { scopeFile: directory, scopeKeyFile: keyFile }],
    "a key that is not there": ["unreadable", { scopeFile, scopeKeyFile: join(directory, "none") }],
    "a key that anybody can sign for": [
      "key_malformed",
      { scopeFile: put(textOf()), scopeKeyFile: put(pemOfPoint(`01${"00".repeat(31)}`)) },
    ],
    "a key with a byte order mark before it": [
      "key_malformed",
      { scopeFile: put(textOf()), scopeKeyFile: put(`\ufeff${pemOf(key, "public")}`) },
    ],
    "an empty document": ["malformed", { scopeFile: put(""), scopeKeyFile: keyFile }],
    "half a document": ["malformed", { scopeFile: put(textOf().slice(0, 90)), scopeKeyFile: keyFile }],
    "a document of 1 MiB and a byte": [
      "malformed",
      { scopeFile: put(textOf() + " ".repeat(1024 * 1024)), scopeKeyFile: keyFile },
    ],
    "a document of another kind": [
      "malformed",
      { scopeFile: put(textOf(payload, key, "fallback")), scopeKeyFile: keyFile },
    ],
    "a signed text that is no scope document": [
      "malformed",
      { scopeFile: put(textOf("hello")), scopeKeyFile: keyFile },
    ],
    "a scope document of another version": [
      "malformed",
      { scopeFile: put(textOf('{"not_after":null,"v":2}')), scopeKeyFile: keyFile },
    ],
    "a not_after that is no time": [
      "malformed",
      { scopeFile: put(textOf('{"not_after":"soon","v":1}')), scopeKeyFile: keyFile },
    ],
    "an expired document": [
      "expired",
      { scopeFile: put(textOf('{"not_after":"2020-01-01T00:00:00Z","v":1}')), scopeKeyFile: keyFile },
    ],
    "an altered payload": [
      "bad_signature",
      { scopeFile: put(textOf().replace("acme", "acne")), scopeKeyFile: keyFile },
    ],
    "a document of another key": ["unknown_key", { scopeFile: put(textOf(payload, other)), scopeKeyFile: keyFile }],
    "a private key": ["key_malformed", { scopeFile, scopeKeyFile: put(pemOf(key, "private")) }],
    "a public key and a private one": [
      "key_malformed",
      { scopeFile, scopeKeyFile: put(`${pemOf(key, "public")}${pemOf(key, "private")}`) },
    ],
    "no key": ["key_malformed", { scopeFile, scopeKeyFile: put("# none\n") }],
    "a key that is none": [
      "key_malformed",
      { scopeFile, scopeKeyFile: put("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n") },
    ],
    "a file without its keys": [
      "TypeError: RemoteEngine: `scopeFile` and `scopeKeyFile` are paths, and go together",
      { scopeFile },
    ],
    "a pin that is none": ["TypeError: RemoteEngine: `scope` is sha256: and 64 hex digits", { scope: "sha256:0" }],
    "a pin and a file": [
      "TypeError: RemoteEngine: `scope` stands in place of `scopeFile` and `scopeKeyFile`",
      { scope: scopePin(payload), scopeFile, scopeKeyFile: keyFile },
    ],
  };
  for (const [name, [code, options]] of Object.entries(refused)) {
    test(`refused: ${name}`, () => expect(refusal(options)).toBe(code));
  }
});

const pinned = { scopeFile, scopeKeyFile: keyFile };
const agreeing = [...everyFeature, "scope"].sort();

/** Welcomes with these features, and allows whatever is asked. */
const allowing =
  (features: readonly string[]): Script =>
  async (peer) => {
    await welcome(peer, features);
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) peer.send(answerTo(frame.id));
  };

describe("the daemon is held to the pinned document", () => {
  test("the pin is in the hello, and its feature", async () => {
    const daemon = await scripted(allowing(agreeing));
    await engineFor(daemon.path, pinned).evaluate({ action: "a", args: {} });
    expect(JSON.parse(daemon.peers[0]?.lines[0] as string).hello).toMatchObject({
      features: agreeing,
      scope: scopePin(payload),
    });
  });

  test("without a pin the hello has neither", async () => {
    const daemon = await scripted(allowing(everyFeature));
    await engineFor(daemon.path).evaluate({ action: "a", args: {} });
    const { hello } = JSON.parse(daemon.peers[0]?.lines[0] as string);
    expect(hello).not.toHaveProperty("scope");
    expect(hello.features).toEqual(everyFeature);
  });

  test("a daemon that does not compare is not believed", async () => {
    const daemon = await scripted(allowing(everyFeature));
    const reason = await reasonOf(engineFor(daemon.path, pinned).evaluate({ action: "a", args: {} }));
    expect(reason).toContain("(scope_mismatch)");
    expect(daemon.peers[0]?.lines).toHaveLength(1);
  });

  test("a daemon of version 1 is asked nothing", async () => {
    const daemon = await scripted(async (peer) => {
      for (let frame = await peer.next(); frame !== null; frame = await peer.next()) {
        if (frame.hello === undefined) peer.send(answerTo(frame.id, {}, false));
        else peer.send({ error: { code: "bad_request", message: "event must be a JSON object" }, id: frame.id, v: 1 });
      }
    });
    const reason = await reasonOf(engineFor(daemon.path, pinned).evaluate({ action: "a", args: {} }));
    expect(reason).toContain("(scope_mismatch)");
    expect(daemon.peers[0]?.lines).toHaveLength(1);
  });

  test("the daemon's scope_mismatch blocks that call, and the connection goes on", async () => {
    const daemon = await scripted(async (peer) => {
      await welcome(peer, agreeing);
      const first = await peer.next();
      peer.send({ error: { code: "scope_mismatch", message: "another is served" }, id: first.id, v: 1 });
      const second = await peer.next();
      peer.send(answerTo(second.id));
    });
    const engine = engineFor(daemon.path, pinned);
    expect(await reasonOf(engine.evaluate({ action: "a", args: {} }))).toContain("(scope_mismatch)");
    expect((await engine.evaluate({ action: "a", args: {} })).verdictName).toBe("ALLOW");
    expect(daemon.peers).toHaveLength(1);
  });

  test("a daemon that is away is let through by no `unreachable` that was not asked for", async () => {
    const engine = engineFor(socketPath(), { ...pinned, grace_ms: 0 });
    expect(await reasonOf(engine.evaluate({ action: "a", args: {} }))).toContain("unreachable");
  });
});
