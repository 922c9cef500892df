import { createReadStream } from "node:fs";
import { Command } from "commander";
import { type Flags, resolveSettings } from "../../daemon/config/resolve.ts";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";
import { checkProof, checkStored } from "../../daemon/ledger/commands/check.ts";
import { checkpoint } from "../../daemon/ledger/commands/checkpoint.ts";
import { claims } from "../../daemon/ledger/commands/claims.ts";
import { cosign } from "../../daemon/ledger/commands/cosign.ts";
import { erase } from "../../daemon/ledger/commands/erase.ts";
import { exportReceipts } from "../../daemon/ledger/commands/export.ts";
import { exportTiles } from "../../daemon/ledger/commands/export-tiles.ts";
import { fsck } from "../../daemon/ledger/commands/fsck.ts";
import { prove } from "../../daemon/ledger/commands/prove.ts";
import { rotateKey } from "../../daemon/ledger/commands/rotate-key.ts";
import { show } from "../../daemon/ledger/commands/show.ts";
import { tail } from "../../daemon/ledger/commands/tail.ts";
import { verify, verifyExportFile } from "../../daemon/ledger/commands/verify.ts";
import { verifyProof } from "../../daemon/ledger/commands/verify-proof.ts";
import { pruneBoundOf, pruneReceipts } from "../../daemon/operator/commands/prune.ts";
import type { ReceiptPlace } from "../../daemon/store/receipt-reader.ts";
import { print, printStream, progress } from "./print.ts";
import { type SeatedOptions, seat, seated } from "./seated.ts";

type PlaceFlags = Pick<Flags, "config" | "state" | "store">;

const placeOf = ({ config, state, store }: PlaceFlags): Promise<ReceiptPlace> =>
  resolveSettings({ config, state, store }, process.env, process.cwd());

/** A receipt's number as it was typed. */
const numberOf = (text: string): number => {
  if (/^[1-9][0-9]{0,15}$/.test(text)) return Number(text);
  throw new Refusal(ExitCode.refused, `${JSON.stringify(text)} is not a receipt's number; they begin at 1`);
};

const countOf = (text: string): number => {
  if (/^(0|[1-9][0-9]{0,15})$/.test(text)) return Number(text);
  throw new Refusal(ExitCode.refused, `${JSON.stringify(text)} is not a number of 0 or more`);
};

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Opened once it is read: what else was given is looked at first. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

const withPlace = (command: Command): Command =>
  command
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--store <address>", "sqlite, or postgres://user@host/database");

export const receiptsCommand = (): Command => {
  const receipts = new Command("receipts").description("read and verify the chain of receipts");
  withPlace(receipts.command("tail"))
    .description("the newest receipts")
    .option("-n, --lines <count>", "how many", "10")
    .option("-f, --follow", "go on as they are written")
    .option("--json", "one JSON object a line")
    .action(async ({ lines, follow, json, ...flags }) => {
      const stop = new AbortController();
      process.once("SIGINT", () => stop.abort());
      await printStream(
        await tail(await placeOf(flags), {
          count: Number(lines),
          follow: Boolean(follow),
          json: Boolean(json),
          signal: stop.signal,
        }),
      );
    });
  withPlace(receipts.command("show"))
    .description("one receipt in full")
    .argument("<seq>", "its number")
    .option("--salt", "with the salts that open what it commits to")
    .option("--json", "one JSON object")
    .action(async (seq: string, { salt, json, ...flags }) =>
      printStream(await show(await placeOf(flags), numberOf(seq), { salt: Boolean(salt), json: Boolean(json) })),
    );
  withPlace(receipts.command("verify"))
    .description("is any receipt edited, missing or out of place? exit code 1 where one is")
    .argument("[export]", "verify this export and nothing else")
    .option(
      "--key <key>",
      "a public key that signs checkpoints: a PEM file, or its text; may be repeated",
      collected,
      [],
    )
    .option("--keyring <file>", "a keyring: its keys of the role receipts sign checkpoints too, within their days")
    .option(
      "--checkpoint <file>",
      "a checkpoint kept elsewhere: finds a log that was cut off or written anew; may be repeated",
      collected,
      [],
    )
    .option("--expect-head <SEQ:HASH>", "a head noted before: finds receipts cut off at the end")
    .option("--witness <key>", "the text of a witness's key; may be repeated", collected, [])
    .option("--witnesses <count>", "how many of them must have cosigned one checkpoint (default: all)")
    .option("--max-unsigned <count>", "refuse more receipts than these after the last signed checkpoint")
    .option("--chain <id>", "with an export: refuse any other chain")
    .option("--json", "one JSON object")
    .action(async (path: string | undefined, chosen) => {
      const { key, keyring, checkpoint, witness, witnesses, maxUnsigned, expectHead, chain, json, ...flags } = chosen;
      const options = {
        expectHead: expectHead ?? null,
        keys: key,
        keyring: keyring ?? null,
        checkpoints: checkpoint,
        witnesses: witness,
        witnessesNeeded: witnesses === undefined ? null : countOf(witnesses),
        maxUnsigned: maxUnsigned === undefined ? null : countOf(maxUnsigned),
        json: Boolean(json),
        progress: progress("receipts"),
      };
      if (path === undefined) await printStream(await verify(await placeOf(flags), options));
      else await printStream(await verifyExportFile(chunksOf(path), { ...options, chain: chain ?? null }));
    });
  withPlace(receipts.command("export"))
    .description("the chain as lines of JSON, for a verifier in any language")
    .option("--from <seq>", "begin at this receipt", "1")
    .option(
      "--tiles <folder>",
      "write the tree of the newest checkpoint there instead, as static files (C2SP tlog-tiles)",
    )
    .action(async ({ from, tiles, ...flags }) => {
      if (tiles !== undefined) {
        await printStream(await exportTiles(await placeOf(flags), { folder: tiles, progress: progress("receipts") }));
        return;
      }
      const options = { from: numberOf(from), progress: progress("receipts") };
      await printStream(await exportReceipts(await placeOf(flags), options));
    });
  withPlace(receipts.command("checkpoint"))
    .description("the newest signed checkpoint, to keep elsewhere; the daemon makes one within a second of a receipt")
    .option("--size <receipts>", "the one of exactly so many receipts")
    .option("--json", "one JSON object")
    .action(async ({ size, json, ...flags }) =>
      printStream(
        await checkpoint(await placeOf(flags), {
          size: size === undefined ? null : numberOf(size),
          json: Boolean(json),
        }),
      ),
    );
  withPlace(receipts.command("cosign"))
    .description("keep a witness's signature with the checkpoint that it is of")
    .argument("<note>", "the checkpoint with the witness's signature, in a file")
    .requiredOption("--witness <key>", "the witness's key, NAME+HASH+KEY")
    .action(async (note: string, { witness, ...flags }) =>
      printStream(await cosign(await placeOf(flags), note, witness)),
    );
  withPlace(receipts.command("prove"))
    .description("one receipt with all that proves it to whoever has the log's key, as a line of JSON")
    .argument("<seq>", "its number")
    .option("--consistency <file>", "and that the log continues this older checkpoint")
    .option("--from-size <count>", "and that it continues its own checkpoint of so many receipts")
    .action(async (seq: string, { consistency, fromSize, ...flags }) => {
      const options = {
        consistency: consistency ?? null,
        fromSize: fromSize === undefined ? null : numberOf(fromSize),
        progress: progress("receipts"),
      };
      await printStream(await prove(await placeOf(flags), numberOf(seq), options));
    });
  receipts
    .command("verify-proof")
    .description("is it a receipt of the log that this key signs? exit code 1 where it is not proved")
    .argument("<file>", "a proof")
    .option(
      "--key <key>",
      "a public key that signs checkpoints: a PEM file, or its text; may be repeated",
      collected,
      [],
    )
    .option("--keyring <file>", "a keyring: its keys of the role receipts sign checkpoints too, within their days")
    .option(
      "--witness <key>",
      "the text of the key of a witness who must have cosigned; may be repeated",
      collected,
      [],
    )
    .option("--json", "one JSON object")
    .action(async (path: string, { key, keyring, witness, json }) =>
      printStream(
        await verifyProof(path, { keys: key, keyring: keyring ?? null, witnesses: witness, json: Boolean(json) }),
      ),
    );
  receipts
    .command("rotate-key")
    .description("another key signs checkpoints from the daemon's next start on, by the old one's word")
    .requiredOption("--out <file>", "where the hand-over is written, for those who believe the old key")
    .option("--config <file>", "configuration")
    .option("--state <directory>", "state directory")
    .option("--json", "one JSON object")
    .action(async ({ out, json, ...flags }) =>
      print(await rotateKey((await placeOf(flags)).state, out, Date.now()), json),
    );
  withPlace(receipts.command("fsck"))
    .description("is anything wrong with the store itself? names it, repairs nothing; exit code 1 where something is")
    .option("--json", "one JSON object")
    .action(async ({ json, ...flags }) => printStream(await fsck(await placeOf(flags), { json: Boolean(json) })));
  seated(receipts.command("prune"))
    .description(
      "the running daemon deletes the oldest receipts, through a checkpoint; a mark in the chain stands for them",
    )
    .requiredOption("--before <seq|date>", "keep this receipt, or those from this date on, and all that is newer")
    .action(async ({ before, json, ...flags }: SeatedOptions & { readonly before: string }) =>
      print(await pruneReceipts(await seat(flags), pruneBoundOf(before), progress("receipts")), json),
    );
  withPlace(receipts.command("check"))
    .description("is it the receipt of this very call? exit code 1 where it is not, or the chain is not whole")
    .argument("<receipt>", "its number, or the file of a proof")
    .requiredOption("--context <file>", "what is known of the call, as JSON")
    .option(
      "--key <key>",
      "a public key that signs checkpoints: a PEM file, or its text; may be repeated",
      collected,
      [],
    )
    .option("--keyring <file>", "a keyring: its keys of the role receipts sign checkpoints too, within their days")
    .option("--json", "one JSON object")
    .action(async (receipt: string, { context, key, keyring: ring, json, ...flags }) => {
      const given = {
        expectHead: null,
        keys: key,
        keyring: ring ?? null,
        checkpoints: [],
        witnesses: [],
        witnessesNeeded: null,
      };
      const options = { ...given, maxUnsigned: null, context, json: Boolean(json), progress: progress("receipts") };
      const isNumber = /^[0-9]+$/.test(receipt);
      if (isNumber) await printStream(await checkStored(await placeOf(flags), numberOf(receipt), options));
      else await printStream(await checkProof(receipt, options));
    });
  withPlace(receipts.command("claims"))
    .description("was the call approved, what was decided, and did anything of it run after that?")
    .argument("[seq]", "the number of its receipt")
    .option("--call-id <id>", "the newest receipt that decided a call of this id")
    .option("--json", "one JSON object")
    .action(async (seq: string | undefined, { callId, json, ...flags }) => {
      if ((seq === undefined) === (callId === undefined)) {
        throw new Refusal(ExitCode.refused, "name one receipt: its number, or --call-id");
      }
      const question = seq === undefined ? { call_id: callId } : { seq: numberOf(seq) };
      await printStream(await claims(await placeOf(flags), question, Boolean(json)));
    });
  withPlace(receipts.command("erase"))
    .description("erase the salts of one receipt: what it commits to can then no longer be proved or guessed")
    .argument("<seq>", "its number")
    .option("--field <name>", "only the one of: arguments, response, final")
    .action(async (seq: string, { field, ...flags }) =>
      printStream(await erase(await placeOf(flags), Number(seq), field ?? null)),
    );
  return receipts;
};
