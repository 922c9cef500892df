import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Verdict } from "../../wire/verdict.ts";
import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import { enforceToolResult } from "../enforce-result.ts";
import { guardToolMap, guardToolRunner } from "../guard-tools.ts";
import { reasonOf } from "../testing/asking.ts";
import { recordingEngine } from "../testing/recording-engine.ts";

const replacing = (value: unknown) =>
  recordingEngine(({ phase }) =>
    phase === "result" ? new Decision({ verdict: Verdict.MODIFY, modified_result: value as never }) : Decision.allow(),
  );
const blocking = () =>
  recordingEngine(({ phase }) => (phase === "result" ? Decision.block("withheld") : Decision.allow()));

const delivered = async (stream: object, engine = recordingEngine(), more: object = {}): Promise<unknown> =>
  guardToolMap({ read: () => stream }, { engine, ...more }).read();

/** What a consumer gets, and the error that it gets after it. */
const drained = async (stream: unknown): Promise<{ chunks: unknown[]; error: unknown }> => {
  const chunks: unknown[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<unknown>) chunks.push(chunk);
    return { chunks, error: null };
  } catch (error) {
    return { chunks, error };
  }
};

async function* generated(...chunks: unknown[]): AsyncGenerator<unknown, string> {
  for (const chunk of chunks) {
    await sleep(1);
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
  return "what it returned at its end";
}

const web = (...chunks: unknown[]): ReadableStream => {
  const left = generated(...chunks);
  return new ReadableStream({
    pull: async (controller) => {
      const next = await left.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
};

const webBytes = (...texts: (string | Error)[]): ReadableStream => {
  const left = texts.values();
  return new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      const next = left.next();
      if (next.done === true) controller.close();
      else if (next.value instanceof Error) throw next.value;
      else controller.enqueue(new TextEncoder().encode(next.value));
    },
  });
};

const encoded = (...texts: (string | Error)[]): Readable =>
  Readable.from(generated(...texts.map((text) => (typeof text === "string" ? Buffer.from(text) : text))), {
    objectMode: false,
  }).setEncoding("utf8");

const inBuffers = (...texts: (string | Error)[]): Readable =>
  Readable.from(generated(...texts.map((text) => (typeof text === "string" ? Buffer.from(text) : text))), {
    objectMode: false,
  });

const own = (...chunks: unknown[]): object => ({ [Symbol.asyncIterator]: () => generated(...chunks) });

const isGenerator = (stream: unknown): boolean => Object.prototype.toString.call(stream) === "[object AsyncGenerator]";
const isReadable = (stream: unknown): boolean => stream instanceof Readable;
const isWeb = (stream: unknown): boolean => stream instanceof ReadableStream;
const isWebOfBytes = (stream: unknown): boolean => {
  (stream as ReadableStream).getReader({ mode: "byob" }).releaseLock();
  return true;
};

/** Each kind of stream, what makes one of texts, whether what is delivered is of the kind, and a chunk of it as text. */
const kinds: [string, (...texts: (string | Error)[]) => object, (stream: unknown) => boolean, "text" | "bytes"][] = [
  ["an async generator", generated, isGenerator, "text"],
  ["an object with Symbol.asyncIterator", own, isGenerator, "text"],
  ["a ReadableStream", web, isWeb, "text"],
  ["a ReadableStream of bytes", webBytes, isWebOfBytes, "bytes"],
  ["a Readable in object mode", (...texts) => Readable.from(generated(...texts)), isReadable, "text"],
  ["a Readable of Buffers", inBuffers, isReadable, "bytes"],
  ["a Readable with an encoding", encoded, isReadable, "text"],
];

for (const [name, make, isOfKind, form] of kinds) {
  const textOf = (chunk: unknown): unknown =>
    form === "bytes" ? new TextDecoder().decode(chunk as Uint8Array) : chunk;

  test(`${name} is judged whole before any of it is delivered, and is of its kind then`, async () => {
    const engine = recordingEngine();
    const stream = await delivered(make("sec", "ret é", "!"), engine);
    expect(engine.events.map(({ phase, args }) => ({ phase, args }))).toEqual([
      { phase: "call", args: {} },
      { phase: "result", args: { result: "secret é!" } },
    ]);
    expect(isOfKind(stream)).toBe(true);
    const { chunks, error } = await drained(stream);
    expect(chunks.map(textOf)).toEqual(["sec", "ret é", "!"]);
    expect(error).toBeNull();
  });

  test(`${name}: of what is blocked nothing leaves`, async () => {
    await expect(delivered(make("a", "b"), blocking())).rejects.toThrow(BlockedError);
  });

  test(`${name}: what a rule replaced it with is one chunk of its kind`, async () => {
    const stream = await delivered(make("sec", "ret"), replacing("[gone]"));
    expect(isOfKind(stream)).toBe(true);
    expect((await drained(stream)).chunks.map(textOf)).toEqual(["[gone]"]);
  });

  test(`${name}: an empty one is judged, delivered, and may be replaced`, async () => {
    const engine = recordingEngine();
    expect((await drained(await delivered(make(), engine))).chunks).toEqual([]);
    expect(engine.events[1]?.args).toEqual({ result: "" });
    expect((await drained(await delivered(make(), replacing("empty")))).chunks.map(String)).toEqual([
      form === "bytes" ? String(name.includes("Buffers") ? "empty" : new TextEncoder().encode("empty")) : "empty",
    ]);
  });

  test(`${name}: an error on its way comes after what came before, once that is judged`, async () => {
    const boom = new RangeError("boom");
    const engine = recordingEngine();
    const stream = await delivered(make("a", "b", boom), engine);
    expect(engine.events[1]?.args).toEqual({ result: "ab" });
    const { chunks, error } = await drained(stream);
    expect(chunks.map(textOf).join("")).toBe("ab");
    expect(error).toBe(boom);
  });

  test(`${name}: of one that failed and is blocked, neither what came before nor the error leaves`, async () => {
    const refused = await delivered(make("a", new Error("boom")), blocking()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BlockedError);
    expect(String(refused)).not.toContain("boom");
  });
}

test("a Readable that a consumer reads late loses nothing to the error at its end", async () => {
  const stream = (await delivered(inBuffers("a", "b", new Error("boom")))) as Readable;
  const seen: string[] = [];
  stream.on("readable", () => undefined);
  await sleep(20);
  stream.removeAllListeners("readable");
  stream.on("data", (chunk) => seen.push(String(chunk)));
  const error = await new Promise((resolve) => stream.once("error", resolve));
  expect(seen.join("")).toBe("ab");
  expect(error).toMatchObject({ message: "boom" });
});

test("bytes that are no text are judged as bytes; a letter that is split over chunks is one", async () => {
  const engine = recordingEngine();
  await delivered(generated(Buffer.from([0xff]), Buffer.from([0xfe])), engine);
  expect(engine.events[1]?.args).toEqual({ result: new Uint8Array([0xff, 0xfe]) });
  const euro = Buffer.from("€");
  await delivered(generated(euro.subarray(0, 1), euro.subarray(1)), engine);
  expect(engine.events[3]?.args).toEqual({ result: "€" });
  await delivered(generated("\ud83d", "\ude00"), engine);
  expect(engine.events[5]?.args).toEqual({ result: "\ud83d\ude00" });
  await delivered(generated("text, ", Buffer.from("bytes")), engine);
  expect(engine.events[7]?.args).toEqual({ result: "text, bytes" });
  // The end of a stream that broke off within a letter does not hide what stands before it.
  await delivered(generated(Buffer.from("secret"), euro.subarray(0, 1), new Error("lost")), engine);
  expect(engine.events[9]?.args).toEqual({ result: "secret" });
});

const deltas = (...texts: string[]) =>
  texts.map((text, i) => ({ id: "m1", at: i, choices: [{ delta: { content: text } }] }));
const place = "choices[0].delta.content";

test("objects are judged as chunks, with the texts that they make joined by their place", async () => {
  const engine = recordingEngine();
  const stream = await delivered(generated(...deltas("AK", "IA", "!")), engine);
  expect(engine.events[1]?.args).toEqual({ chunks: deltas("AK", "IA", "!"), texts: { [place]: "AKIA!" } });
  expect((await drained(stream)).chunks).toEqual(deltas("AK", "IA", "!"));
  const mixed = [1, null, "a", { b: Buffer.from("x") }, "b", { b: Buffer.from("y") }];
  expect((await drained(await delivered(generated(...mixed), engine))).chunks).toEqual(mixed);
  expect(engine.events[3]?.args).toEqual({ chunks: mixed, texts: { "": "ab", b: "xy" } });
});

test("where a rule changed a joined text, it stands in the first chunk that has a part of it", async () => {
  const view = { chunks: deltas("AK", "IA", "!"), texts: { [place]: "[gone]!" } };
  const { chunks } = await drained(await delivered(generated(...deltas("AK", "IA", "!")), replacing(view)));
  expect(chunks).toEqual(deltas("[gone]!", "", ""));
});

test("where a rule changed the chunks and the joined text alike, the chunks are delivered", async () => {
  const view = { chunks: deltas("a", "[gone]"), texts: { [place]: "a[gone]" } };
  const { chunks } = await drained(await delivered(generated(...deltas("a", "AKIA")), replacing(view)));
  expect(chunks).toEqual(deltas("a", "[gone]"));
});

test("where a rule changed a piece in one way and the joined text in another, the joined text is judged again", async () => {
  let asked = 0;
  const engine = recordingEngine(({ phase }) => {
    if (phase === "call" || asked++ > 0) return Decision.allow();
    const view = { chunks: deltas("TOKEN=[gone]", "IA!"), texts: { [place]: "TOKEN=[gone]!" } };
    return new Decision({ verdict: Verdict.MODIFY, modified_result: view });
  });
  const { chunks } = await drained(await delivered(generated(...deltas("TOKEN=AK", "IA!")), engine));
  expect(chunks).toEqual(deltas("TOKEN=[gone]!", ""));
  const [, first, second] = engine.events;
  expect(second?.args).toEqual({ chunks, texts: { [place]: "TOKEN=[gone]!" } });
  expect([first?.call_id === null, second?.call_id === null]).toEqual([false, true]);
});

test("where it is changed in two ways each time that it is asked about, it is blocked", async () => {
  let asked = 0;
  const engine = recordingEngine(({ phase }) => {
    if (phase === "call") return Decision.allow();
    asked++;
    const view = { chunks: deltas(`x${asked}`, "b"), texts: { [place]: `gone${asked}` } };
    return new Decision({ verdict: Verdict.MODIFY, modified_result: view });
  });
  expect(await reasonOf(delivered(generated(...deltas("a", "b")), engine))).toMatch(/do not fit together/);
  expect(asked).toBe(3);
});

test("where a rule changed only the chunks, or answered something else, that is delivered", async () => {
  const view = { chunks: deltas("x", "y"), texts: { [place]: "ab" } };
  expect((await drained(await delivered(generated(...deltas("a", "b")), replacing(view)))).chunks).toEqual(
    deltas("x", "y"),
  );
  const other = await delivered(generated(...deltas("a", "b")), replacing("withheld"));
  expect((await drained(other)).chunks).toEqual(["withheld"]);
  const object = await delivered(generated("a", "b"), replacing({ is: "withheld" }));
  expect((await drained(object)).chunks).toEqual(['{"is":"withheld"}']);
});

const apart: [string, object][] = [
  ["without the chunks of a changed text", { chunks: [], texts: { [place]: "gone" } }],
  ["without its texts", { chunks: deltas("a", "b") }],
  ["without its chunks", { texts: { [place]: "gone" } }],
  ["with more beside them", { chunks: deltas("a", "b"), texts: { [place]: "gone" }, more: 1 }],
  ["with a text of no place", { chunks: deltas("a", "b"), texts: { [place]: "ab", other: "x" } }],
  ["with a text gone", { chunks: deltas("a", "b"), texts: {} }],
  ["with a text that is none", { chunks: deltas("a", "b"), texts: { [place]: 1 } }],
];

for (const [name, view] of apart) {
  test(`a view of objects that comes back ${name} is blocked`, async () => {
    expect(await reasonOf(delivered(generated(...deltas("a", "b")), replacing(view)))).toMatch(/do not fit together/);
  });
}

test("what was judged is delivered, whatever the source makes of its chunks afterwards", async () => {
  const buffer = Buffer.alloc(1);
  const object = { text: "" };
  async function* reusing(): AsyncGenerator<unknown> {
    for (const letter of "ab") {
      buffer.write(letter);
      yield buffer;
    }
  }
  async function* changing(): AsyncGenerator<unknown> {
    for (const letter of "ab") {
      object.text = letter;
      yield object;
    }
  }
  expect((await drained(await delivered(reusing()))).chunks.join("")).toBe("ab");
  const stream = await delivered(changing());
  object.text = "unjudged";
  expect((await drained(stream)).chunks).toEqual([{ text: "a" }, { text: "b" }]);
});

test("a source is read once, and what a generator returns at its end is not delivered", async () => {
  let opened = 0;
  const open = () => {
    opened++;
    return generated("a");
  };
  const source = { [Symbol.asyncIterator]: open };
  const stream = (await delivered(Object.freeze(source))) as AsyncGenerator;
  expect(await stream.next()).toEqual({ done: false, value: "a" });
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect(opened).toBe(1);
});

/** An endless source of each kind that notes that it was cancelled. */
const endless = (chunk: unknown): [string, (cancelled: () => void) => object][] => [
  [
    "a generator",
    (cancelled) =>
      (async function* () {
        try {
          for (;;) yield chunk;
        } finally {
          cancelled();
        }
      })(),
  ],
  [
    "a ReadableStream",
    (cancelled) => new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel: cancelled }),
  ],
  [
    "a Readable",
    (cancelled) =>
      new Readable({
        objectMode: true,
        read() {
          this.push(chunk);
        },
        destroy(_error, done) {
          cancelled();
          done(null);
        },
      }),
  ],
];

for (const chunk of ["0123456789", Buffer.alloc(10), { a: "12345678901" }, ""]) {
  for (const [name, make] of endless(chunk)) {
    test(`${name} of ${JSON.stringify(chunk).slice(0, 20)} that is longer than the bound is blocked and cancelled`, async () => {
      let cancelled = 0;
      const engine = recordingEngine();
      const stream = make(() => cancelled++);
      expect(await reasonOf(delivered(stream, engine, { maxStreamBytes: 100 }))).toBe(
        "the result of 'read' cannot be put to the guard: its stream is longer than 100 bytes",
      );
      await sleep(1);
      expect([cancelled, engine.events.length]).toEqual([1, 1]);
    });
  }
}

test("exactly the bound is delivered, and one byte more is not", async () => {
  const more = { maxStreamBytes: 4 };
  expect((await drained(await delivered(generated("ab", "é"), recordingEngine(), more))).chunks).toEqual(["ab", "é"]);
  await expect(delivered(generated("ab", "é", "c"), recordingEngine(), more)).rejects.toThrow(BlockedError);
});

test("without a setting 4 MiB are delivered, and no more", async () => {
  const mebibyte = Buffer.alloc(1024 * 1024, "a");
  const four = [mebibyte, mebibyte, mebibyte, mebibyte];
  expect((await drained(await delivered(generated(...four)))).chunks.length).toBe(4);
  expect(await reasonOf(delivered(generated(...four, "a")))).toMatch(/longer than 4194304 bytes/);
});

test.each([0, -1, 1.5, Number.NaN, 8 * 1024 * 1024 + 1, "1"])("a bound of %s is refused", (maxStreamBytes) => {
  expect(() => guardToolMap({}, { engine: recordingEngine(), maxStreamBytes: maxStreamBytes as number })).toThrow(
    /maxStreamBytes/,
  );
});

for (const [name, make] of endless(undefined)) {
  if (name === "a Readable") continue;
  test(`${name} with a chunk that has no JSON form is blocked and cancelled`, async () => {
    let cancelled = 0;
    expect(await reasonOf(delivered(make(() => cancelled++)))).toMatch(/undefined has no JSON form/);
    await sleep(1);
    expect(cancelled).toBe(1);
  });
}

test.each(["wire", "names"])("%s that are longer than the frame are blocked", async (kind) => {
  const long = "n".repeat(4_000);
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, "v"]));
  const chunks = kind === "names" ? [{ [long]: wide }, { [long]: wide }] : ["\u0000".repeat(3 * 1024 * 1024)];
  const { RemoteEngine } = await import("../remote-engine.ts");
  const options = { engine: new RemoteEngine("/nowhere/g.sock") };
  await expect(enforceToolResult("read", generated(...chunks), options)).rejects.toThrow(
    /longer than a frame may be|names in the/,
  );
});

test("a stream that somebody else reads already is blocked", async () => {
  const stream = web("a");
  stream.getReader();
  expect(await reasonOf(delivered(stream))).toMatch(/cannot be put to the guard: TypeError/);
});

test("a stream within a result is no result that could be held back: it has no JSON form", async () => {
  const { RemoteEngine } = await import("../remote-engine.ts");
  const engine = new RemoteEngine("/nowhere/g.sock");
  for (const result of [
    { textStream: web("a") },
    [generated("a")],
    { inner: own("a") },
    { bytes: Readable.from(["a"]) },
  ]) {
    expect(await reasonOf(enforceToolResult("read", result, { engine }))).toMatch(/has no JSON form/);
  }
});

test("what is there whole is no stream", async () => {
  const engine = recordingEngine();
  for (const result of [[1, 2], "text", Buffer.from("x"), new Set(["a"])]) {
    expect(await enforceToolResult("read", result, { engine })).toBe(result);
  }
  const { RemoteEngine } = await import("../remote-engine.ts");
  const remote = { engine: new RemoteEngine("/nowhere/g.sock") };
  for (const result of [new Map(), [1].values(), { *[Symbol.iterator]() {} }]) {
    expect(await reasonOf(enforceToolResult("read", result, remote))).toMatch(/has no JSON form/);
  }
});

test("a signal that is aborted while a stream is read cancels the source, though its next chunk never comes", async () => {
  let isCancelled = false;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => undefined),
      return: async () => {
        isCancelled = true;
        throw new Error("nobody's");
      },
    }),
  };
  const abort = new AbortController();
  const { signal } = abort;
  const reason = new Error("enough");
  setTimeout(() => abort.abort(reason), 10);
  const engine = recordingEngine();
  await expect(enforceToolResult("read", source, { engine, signal })).rejects.toBe(reason);
  expect([isCancelled, engine.events.length]).toEqual([true, 0]);
  await expect(enforceToolResult("read", generated("a"), { engine, signal })).rejects.toBe(reason);
});

test("in monitor mode a stream is judged, and delivered whatever is said of it", async () => {
  for (const engine of [blocking(), replacing("gone")]) {
    const stream = await delivered(generated("a", "b"), engine, { enforcement: "monitor" });
    expect((await drained(stream)).chunks).toEqual(["a", "b"]);
    expect(engine.events[1]?.args).toEqual({ result: "ab" });
  }
});

/** An engine that holds a transaction open for each call. */
const settling = () => {
  const outcomes: unknown[] = [];
  const engine = recordingEngine(({ phase }) =>
    phase === "call"
      ? new Decision({ verdict: Verdict.ALLOW, details: { transaction_id: "t" } as never })
      : Decision.allow(),
  );
  const outcome = async (told: unknown) => {
    outcomes.push(told);
    return Decision.allow();
  };
  return { engine: { ...engine, outcome }, outcomes };
};

test("a stream that fails is reported as failed before what came of it is judged, and that closes no call", async () => {
  const { engine, outcomes } = settling();
  await delivered(generated("a", new RangeError("boom")), engine);
  expect(outcomes).toEqual([{ call_id: engine.events[0]?.call_id, status: "failed", error_type: "RangeError" }]);
  expect(engine.events[1]?.call_id).toBeNull();
  const byHand = { engine, callId: "c1" };
  await enforceToolResult("read", generated("a", new RangeError("boom")), byHand);
  expect(outcomes[1]).toEqual({ call_id: "c1", status: "failed", error_type: "RangeError" });
});

test("a stream that is cut short is not reported, and what came of it closes no call", async () => {
  const { engine, outcomes } = settling();
  await delivered(generated("a", Object.assign(new Error("reset"), { code: "ECONNRESET" })), engine);
  await enforceToolResult("read", generated("a", new DOMException("", "AbortError")), { engine, callId: "c1" });
  expect(outcomes).toEqual([]);
  expect(engine.events.slice(1).map(({ call_id }) => call_id)).toEqual([null, null]);
});

test("a dispatcher's stream is held back as well", async () => {
  const run = guardToolRunner((_name, _args) => generated("a", "b"), { engine: blocking() });
  await expect(run("read")).rejects.toThrow(BlockedError);
});
