import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { parseCheckpoint } from "../checkpoints/checkpoint.ts";
import { cosign as cosignNote } from "../checkpoints/cosignature.ts";
import { noteSigners } from "../checkpoints/note-signers.ts";
import { parseSignedNote, type SignedNote, signedNoteText } from "../checkpoints/signed-note.ts";
import { ledgerOf, signerOf } from "../checkpoints/test-signer.ts";
import { verifierKey, verifierKeyText } from "../checkpoints/verifier-key.ts";
import { temporaryDirectory, temporaryState } from "../test-state.ts";
import { checkpoint } from "./checkpoint.ts";
import { cosign } from "./cosign.ts";
import type { CommandOutput } from "./output.ts";

const placeOf = ({ path }: StateDirectory) => ({ state: path, store: "sqlite" });
const newest = { size: null, json: false };

const textOf = async ({ lines }: CommandOutput): Promise<string> => {
  let text = "";
  for await (const line of lines) text += `${line}\n`;
  return text;
};

const signedState = async (count: number): Promise<StateDirectory> => {
  const state = temporaryState();
  await grow(state, count);
  return state;
};

/** So many receipts more, and a checkpoint of all. */
const grow = async (state: StateDirectory, count: number): Promise<void> => {
  ledgerOf(state, count);
  const { store, signer } = signerOf(state);
  await signer.last();
  await store.close();
};

describe("checkpoint", () => {
  test("there is none yet", async () => {
    const state = temporaryState();
    ledgerOf(state, 1);
    expect(await checkpoint(placeOf(state), newest)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("no checkpoint yet"),
    });
  });

  test("the newest is printed as the note that it is, and says how many receipts came after it", async () => {
    const state = await signedState(7);
    const output = await checkpoint(placeOf(state), newest);
    expect(output).toMatchObject({ exitCode: 0, error: null });
    const text = await textOf(output);
    expect(parseCheckpoint(parseSignedNote(text)?.text ?? "")?.size).toBe(7);
    ledgerOf(state, 2);
    expect((await checkpoint(placeOf(state), newest)).error).toBe("2 receipts after it are not covered yet");
    const json = JSON.parse(await textOf(await checkpoint(placeOf(state), { ...newest, json: true })));
    expect(json).toMatchObject({ note: text, size: 7, unsigned: 2, root: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("one of another size is printed, and none is made up", async () => {
    const state = await signedState(5);
    await grow(state, 2);
    const text = await textOf(await checkpoint(placeOf(state), { size: 5, json: false }));
    expect(text.split("\n")[1]).toBe("5");
    expect((await checkpoint(placeOf(state), { size: 6, json: false })).exitCode).toBe(1);
  });

  test("there is no ledger", async () => {
    expect((await checkpoint({ state: temporaryDirectory(), store: "sqlite" }, newest)).exitCode).toBe(5);
  });
});

const name = "witness.example.com/w1";
const witness = generateKeyPair();
const vkey = verifierKeyText(verifierKey(name, "witness", witness.publicKey));

/** The newest checkpoint with what a witness adds to it, in a file. */
const witnessed = async (
  state: StateDirectory,
  change: (note: SignedNote) => SignedNote = (note) => ({
    ...note,
    signatures: [...note.signatures, cosignNote(note, name, witness, 1_700_000_000)],
  }),
): Promise<string> => {
  const note = parseSignedNote(await textOf(await checkpoint(placeOf(state), newest))) as SignedNote;
  const path = join(temporaryDirectory(), "note");
  writeFileSync(path, signedNoteText(change(note)));
  return path;
};

describe("cosign", () => {
  test("keeps a witness's signature beside the daemon's, once, however often it is given", async () => {
    const state = await signedState(7);
    const path = await witnessed(state);
    for (let time = 0; time < 2; time++) {
      expect(await textOf(await cosign(placeOf(state), path, vkey))).toBe(
        `checkpoint of 7 receipts: cosigned by ${name} at 2023-11-14T22:13:20.000Z\n`,
      );
    }
    const note = parseSignedNote(await textOf(await checkpoint(placeOf(state), newest))) as SignedNote;
    expect(note.signatures).toHaveLength(2);
    expect(noteSigners(note, [verifierKey(name, "witness", witness.publicKey)]).signed).toHaveLength(1);
  });

  test("keeps what the witness said last, and other witnesses'", async () => {
    const state = await signedState(7);
    const other = generateKeyPair();
    const otherKey = verifierKeyText(verifierKey("w2", "witness", other.publicKey));
    const add = (by: string, key: typeof witness, time_s: number) => (note: SignedNote) => ({
      ...note,
      signatures: [...note.signatures, cosignNote(note, by, key, time_s)],
    });
    await cosign(placeOf(state), await witnessed(state), vkey);
    await cosign(placeOf(state), await witnessed(state, add("w2", other, 5)), otherKey);
    const later = await witnessed(state, (note) => ({
      ...note,
      signatures: [note.signatures[0]!, cosignNote(note, name, witness, 1_800_000_000)],
    }));
    await cosign(placeOf(state), later, vkey);
    const note = parseSignedNote(await textOf(await checkpoint(placeOf(state), newest))) as SignedNote;
    expect(note.signatures.map((signature) => signature.name)).toEqual([
      expect.stringContaining("interlock/"),
      "w2",
      name,
    ]);
  });

  test.each<[string, (note: SignedNote) => SignedNote, RegExp]>([
    ["that is not there", (note) => note, /has not signed it with this key/],
    [
      "of another key of that name",
      (note) => ({ ...note, signatures: [...note.signatures, cosignNote(note, name, generateKeyPair(), 5)] }),
      /has not signed it with this key/,
    ],
    [
      "that does not hold",
      (note) => {
        const good = cosignNote(note, name, witness, 5);
        const bent = { ...good, signature: good.signature.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) };
        return { ...note, signatures: [...note.signatures, bent] };
      },
      /does not hold/,
    ],
    [
      "of a checkpoint of another size",
      (note) => {
        const other = { ...note, text: note.text.replace("\n7\n", "\n6\n") };
        return { ...other, signatures: [cosignNote(other, name, witness, 5)] };
      },
      /has no checkpoint of 6 receipts/,
    ],
    [
      "of another tree of this size",
      (note) => {
        const text = `${note.text.split("\n").slice(0, 2).join("\n")}\n${Buffer.alloc(32, 1).toString("base64")}\n`;
        return { text, signatures: [cosignNote({ ...note, text }, name, witness, 5)] };
      },
      /one of the two is a fork/,
    ],
    [
      "of another log",
      (note) => {
        const text = note.text.replace(/^[^\n]*/, `interlock/${"0".repeat(32)}`);
        return { text, signatures: [cosignNote({ ...note, text }, name, witness, 5)] };
      },
      /another log/,
    ],
  ])("refuses a signature %s, and changes nothing", async (_what, change, line) => {
    const state = await signedState(7);
    const before = await textOf(await checkpoint(placeOf(state), newest));
    const output = await cosign(placeOf(state), await witnessed(state, change), vkey);
    expect(output).toMatchObject({ exitCode: 1, error: expect.stringMatching(line) });
    expect(await textOf(await checkpoint(placeOf(state), newest))).toBe(before);
  });

  test("refuses a key that is no witness's, and a file that is no note", async () => {
    const state = await signedState(7);
    const path = await witnessed(state);
    const log = verifierKeyText(verifierKey(name, "log", witness.publicKey));
    for (const wrong of [log, "nonsense"]) {
      await expect(cosign(placeOf(state), path, wrong)).rejects.toMatchObject({ exitCode: 2 });
    }
    writeFileSync(path, "nonsense");
    await expect(cosign(placeOf(state), path, vkey)).rejects.toMatchObject({ exitCode: 2 });
  });
});
