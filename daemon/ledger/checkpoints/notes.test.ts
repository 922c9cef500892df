import { sign } from "node:crypto";
import fc from "fast-check";
import nacl from "tweetnacl";
import { describe, expect, it } from "vitest";
import { generateKeyPair, privateKeyFromSeed } from "../../keys/private-key.ts";
import { checkpointText, logKey, originOf, parseCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { cosign, cosignedBytes, parseCosignature } from "./cosignature.ts";
import { noteSigners } from "./note-signers.ts";
import { maxNoteSignatures, parseSignedNote, type SignedNote, signedNoteText } from "./signed-note.ts";
import { parseVerifierKey, verifierKey, verifierKeyText } from "./verifier-key.ts";

/** The note and key that other implementations of the format test with. */
const known = {
  key: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  note:
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

const chain = "0123456789abcdef0123456789abcdef";
const root = new Uint8Array(32).fill(7);
const checkpoint = { origin: originOf(chain), size: 4096, root };
const key = privateKeyFromSeed(new Uint8Array(32).fill(1));
const bodyOf = (note: SignedNote) => parseCheckpoint(note.text);

describe("a signed note", () => {
  it("that another implementation signed is read, verified and written as it was", () => {
    const note = parseSignedNote(known.note)!;
    const peter = parseVerifierKey(known.key)!;
    expect(noteSigners(note, [peter])).toEqual({ signed: [peter], forged: [] });
    expect(signedNoteText(note)).toBe(known.note);
    expect(verifierKeyText(peter)).toBe(known.key);
  });

  it("comes back as it was written", () => {
    const line = fc.record({
      name: fc.stringMatching(/^[a-z./é—]{1,20}$/u),
      keyHash: fc.stringMatching(/^[0-9a-f]{8}$/),
      signature: fc.uint8Array({ minLength: 1, maxLength: 80 }),
    });
    const text = fc.array(fc.stringMatching(/^[ -~é—\n]{0,40}$/u)).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(text, fc.array(line, { minLength: 1, maxLength: 5 }), (body, signatures) => {
        expect(parseSignedNote(signedNoteText({ text: body, signatures }))).toEqual({ text: body, signatures });
      }),
    );
  });

  const signature = signedNoteText(signCheckpoint(checkpoint, key)).split("\n\n")[1] as string;
  it.each([
    ["nothing", ""],
    ["no signature", "text\n"],
    ["no empty line", `text\n${signature}`],
    ["an empty signature line", `text\n\n${signature}\n`],
    ["no last line feed", `text\n\n${signature.slice(0, -1)}`],
    ["a carriage return", `text\r\n\n${signature}`],
    ["a tab", `a\tb\n\n${signature}`],
    ["half a character", `\ud800\n\n${signature}`],
    ["another dash", `text\n\n${signature.replace("—", "-")}`],
    ["two spaces", `text\n\n${signature.replace(" ", "  ")}`],
    ["a space of another script in the name", `text\n\n${signature.replace("interlock", "inter\u2003lock")}`],
    ["a plus in the name", `text\n\n${signature.replace("interlock", "inter+lock")}`],
    ["base64 with other trailing bits", `text\n\n${signature.replace(/.=\n$/, "B=\n")}x`],
    ["base64 without padding", `text\n\n${signature.replace("=", "")}`],
    ["a key hash and no signature", "text\n\n— name AAAAAA==\n"],
    ["more signatures than anybody takes", `text\n\n${signature.repeat(maxNoteSignatures + 1)}`],
    ["more bytes than anybody takes", `${"x".repeat(300_000)}\n\n${signature}`],
  ])("is not %s", (_what, note) => {
    expect(parseSignedNote(note)).toBeNull();
  });

  it("with signatures of others is theirs who signed", () => {
    const note = signCheckpoint(checkpoint, key);
    const other = signCheckpoint(checkpoint, generateKeyPair());
    const both = { text: note.text, signatures: [...other.signatures, ...note.signatures] };
    const ours = logKey(chain, key.publicKey);
    expect(noteSigners(both, [ours])).toEqual({ signed: [ours], forged: [] });
    expect(noteSigners(other, [ours])).toEqual({ signed: [], forged: [] });
  });

  it("with a believed key's name and a signature that does not hold is forged", () => {
    const note = signCheckpoint(checkpoint, key);
    const ours = logKey(chain, key.publicKey);
    const [signed] = note.signatures;
    const bent = { ...signed!, signature: signed!.signature.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) };
    const altered = { ...note, text: note.text.replace("4096", "4095") };
    expect(noteSigners(altered, [ours])).toEqual({ signed: [], forged: [ours] });
    expect(noteSigners({ ...note, signatures: [bent] }, [ours]).forged).toEqual([ours]);
    expect(noteSigners({ ...note, signatures: [signed!, bent] }, [ours])).toEqual({ signed: [], forged: [ours] });
  });
});

describe("a verifier's key", () => {
  it.each(["log", "witness"] as const)("of a %s comes back as it was written", (kind) => {
    const made = verifierKey("example.com/log", kind, generateKeyPair().publicKey);
    expect(verifierKeyText(parseVerifierKey(verifierKeyText(made))!)).toBe(verifierKeyText(made));
    expect(parseVerifierKey(verifierKeyText(made))).toMatchObject({ kind, name: "example.com/log" });
  });

  it.each([
    ["another name", known.key.replace("Peter", "peter")],
    ["another hash", known.key.replace("c74f20a3", "c74f20a4")],
    ["a type of signature that is not in use", known.key.replace("ARpc", "AhpC")],
    ["a key cut short", known.key.slice(0, -4)],
    ["a space in the name", `a b${known.key}`],
    ["a line feed after it", `${known.key}\n`],
  ])("is not one with %s", (_what, text) => {
    expect(parseVerifierKey(text)).toBeNull();
  });

  it("cannot have a name that a note has no place for", () => {
    for (const name of ["", "a b", "a+b", "a\u00a0b"]) {
      expect(() => verifierKey(name, "log", key.publicKey)).toThrow(RangeError);
    }
  });
});

describe("a checkpoint", () => {
  it("has these bytes", () => {
    const note = signedNoteText(signCheckpoint(checkpoint, key));
    expect(note.split("\n")).toEqual([
      `interlock/${chain}`,
      "4096",
      "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
      "",
      `— interlock/${chain} z89kUyYu2GkNBI2kNcJRISML/GGOlQrKkD7doXQO1Wdi2WxKCAx+G9NFPAMJjF8LjBQ/W1HvmhGDKOzMq0jmIhrwjws=`,
      "",
    ]);
  });

  it("comes back as it was written", () => {
    const head = fc.record({
      origin: fc.constant(originOf(chain)),
      size: fc.maxSafeNat(),
      root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    });
    fc.assert(
      fc.property(head, (made) => {
        expect(parseCheckpoint(checkpointText(made))).toEqual(made);
      }),
    );
  });

  const text = checkpointText(checkpoint);
  it.each([
    ["no line feed at its end", text.slice(0, -1)],
    ["an extension line", `${text}more\n`],
    ["a size with a leading zero", text.replace("4096", "04096")],
    ["a size below 0", text.replace("4096", "-1")],
    ["a size that no number holds", text.replace("4096", "9007199254740993")],
    ["a root cut short", text.replace("BwcHBwcH", "")],
    ["no origin", text.replace(/^[^\n]*/, "")],
  ])("does not have %s", (_what, wrong) => {
    expect(parseCheckpoint(wrong)).toBeNull();
  });

  it("is signed by node:crypto as tweetnacl signs, and each verifies the other's", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.maxSafeNat(), (seed, size) => {
        const signer = privateKeyFromSeed(seed);
        const note = signCheckpoint({ ...checkpoint, size }, signer);
        const bytes = Buffer.from(note.text, "utf8");
        const { signature } = note.signatures[0]!;
        expect(nacl.sign.detached.verify(bytes, signature, signer.publicKey.raw)).toBe(true);
        const theirs = nacl.sign.detached(bytes, nacl.sign.keyPair.fromSeed(seed).secretKey);
        const ours = logKey(chain, signer.publicKey);
        const renamed = { ...note, signatures: [{ ...note.signatures[0]!, signature: theirs }] };
        expect(noteSigners(renamed, [ours]).signed).toEqual([ours]);
        expect(bodyOf(note)?.size).toBe(size);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a witness's cosignature", () => {
  const witness = generateKeyPair();
  const name = "witness.example.com/w1";
  const note = signCheckpoint(checkpoint, key);
  const theirs = verifierKey(name, "witness", witness.publicKey);

  it("stands beside the log's, and holds for its time alone", () => {
    const cosigned = { ...note, signatures: [...note.signatures, cosign(note, name, witness, 1_679_315_147)] };
    const read = parseSignedNote(signedNoteText(cosigned))!;
    const ours = logKey(chain, key.publicKey);
    expect(noteSigners(read, [ours, theirs])).toEqual({ signed: [ours, theirs], forged: [] });
    const bytes = read.signatures[1]!.signature;
    expect(parseCosignature(bytes)?.time_s).toBe(1_679_315_147);
    const later = bytes.map((byte, at) => (at === 7 ? byte + 1 : byte));
    const moved = { ...read, signatures: [{ ...read.signatures[1]!, signature: later }] };
    expect(noteSigners(moved, [theirs])).toEqual({ signed: [], forged: [theirs] });
  });

  it("signs these bytes", () => {
    expect(Buffer.from(cosignedBytes("a/log\n0\n", 5)).toString()).toBe("cosignature/v1\ntime 5\na/log\n0\n");
  });

  it("is neither a log's signature nor one over another checkpoint", () => {
    const plain = new Uint8Array(sign(null, Buffer.from(note.text), witness.object));
    const { keyHash } = theirs;
    const asLog = { ...note, signatures: [{ name, keyHash, signature: plain }] };
    expect(noteSigners(asLog, [theirs]).forged).toEqual([theirs]);
    const other = signCheckpoint({ ...checkpoint, size: 5 }, key);
    const moved = { ...other, signatures: [cosign(note, name, witness, 7)] };
    expect(noteSigners(moved, [theirs]).forged).toEqual([theirs]);
    expect(parseCosignature(new Uint8Array(72).fill(255))).toBeNull();
  });
});
