import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { LogFields } from "../../../server/ground/log.ts";
import type { Authorise } from "../../../server/tickets/authorise.ts";
import { AuthoriseHook, loadAuthorise } from "../../../server/tickets/authorise_hook.ts";
import { UsageError } from "../../../shared/flags.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";

const QUESTION = {
  game: "counter-1",
  room: "ABCD",
  name: "Wren",
  role: "player",
  credentials: "",
  address: "192.0.2.1",
  headers: { authorization: "", cookie: "" },
} as const;

function hookOf(authorise: (...args: Parameters<Authorise>) => unknown, timeoutMs?: number) {
  const lines: LogFields[] = [];
  const hook = new AuthoriseHook(authorise as Authorise, {
    log: (event, fields = {}) => lines.push({ name: event, ...fields }),
    ...timeoutMs !== undefined && { timeoutMs },
  });
  return { hook, lines, ask: (block = "192.0.2.1") => hook.ask(QUESTION, block) };
}

const UNCHECKED = {
  code: CloseCode.unauthorised,
  reason: "It cannot be checked at the moment whether you may come in. Try again later.",
};

Deno.test("AuthoriseHook: its decision counts, whether it comes at once or later (SPEC 14.21)", async () => {
  const grants = [{ name: "Ada", role: "player" }, { name: "", role: "watcher", seat: 0 }, {
    name: "x".repeat(96),
    role: "operator",
    seat: 15,
  }];
  for (const grant of grants) {
    assertEquals(await hookOf(() => grant).ask(), grant as never);
    assertEquals(await hookOf(() => Promise.resolve(grant)).ask(), grant as never);
  }
  const { ask, lines } = hookOf(() => ({ refusal: `Not you. ${"🐉".repeat(500)}` }));
  const answer = await ask();
  assertEquals(answer, { code: CloseCode.unauthorised, reason: `Not you. ${"🐉".repeat(111)}` });
  assertEquals(lines, []);
});

Deno.test("AuthoriseHook: an answer that is none refuses in words and has a line in the log (SPEC 14.21)", async () => {
  const good = { name: "Ada", role: "player" };
  const bad = [
    undefined,
    null,
    1,
    "yes",
    true,
    [],
    {},
    { refusal: "" },
    { refusal: 7 },
    {
      ...good,
      refusal: "but no",
    },
    { ...good, seat: 16 },
    { ...good, seat: -1 },
    { ...good, seat: 1.5 },
    {
      ...good,
      seat: "1",
    },
    { ...good, name: "x".repeat(97) },
    { ...good, name: undefined },
    { ...good, role: "king" },
    { ...good, sea: 1 },
    () => good,
  ];

  for (const answer of bad) {
    const { ask, lines } = hookOf(() => Promise.resolve(answer));
    assertEquals(await ask(), UNCHECKED, JSON.stringify(answer));
    assertEquals(lines.map(({ name, room, address }) => [name, room, address]), [
      ["authorise_failed", "ABCD", "192.0.2.1"],
    ]);
    assertStringIncludes(String(lines[0]!["reason"]), "the answer is none");
  }
});

Deno.test("AuthoriseHook: one that throws, at once or later, refuses, and the log has its words (SPEC 14.21)", async () => {
  const throwers: (() => unknown)[] = [
    () => {
      throw new Error("planted");
    },
    () => Promise.reject(new Error("planted")),
    async () => await Promise.reject("planted"),
  ];
  for (const thrower of throwers) {
    const { hook, ask, lines } = hookOf(thrower);
    assertEquals([await ask(), hook.calls], [UNCHECKED, 0]);
    assertStringIncludes(String(lines[0]!["reason"]), "planted");
  }
});

Deno.test("AuthoriseHook: one that never answers refuses, and its signal is aborted (SPEC 14.21)", async () => {
  let aborted = false;
  const { hook, ask, lines } = hookOf(({ signal }) => {
    signal.addEventListener("abort", () => aborted = true);
    return new Promise(() => {});
  }, 20);
  // The timer of a signal keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  assertEquals([await ask(), hook.calls, aborted], [UNCHECKED, 0, true]);
  clearInterval(alive);
  assertStringIncludes(String(lines[0]!["reason"]), "TimeoutError");
});

Deno.test("AuthoriseHook: 128 calls of an address and 512 of all run at once; others wait (SPEC 14.21)", async () => {
  const gate = Promise.withResolvers<unknown>();
  const { hook, ask } = hookOf(() => gate.promise);
  const waiting = Array.from({ length: 128 }, () => ask("a"));
  const busy = {
    code: CloseCode.busy,
    reason: "too many want to come in at once; try again in 10 s",
  };
  assertEquals([await ask("a"), hook.calls], [busy, 128]);
  for (let i = 0; i < 384; i++) waiting.push(ask(`b${i}`));
  assertEquals([await ask("c"), hook.calls], [busy, 512]);
  gate.resolve({ name: "Ada", role: "player" });
  for (const answer of await Promise.all(waiting)) {
    assertEquals(answer, { name: "Ada", role: "player" });
  }
  assertEquals([hook.calls, await ask("a")], [0, { name: "Ada", role: "player" }]);
});

Deno.test("AuthoriseHook: a broken hook has 20 lines in the log, not one for everybody (SPEC 14.21)", async () => {
  const { ask, lines } = hookOf(() => "nonsense");
  for (let i = 0; i < 100; i++) await ask();
  assert(lines.length >= 20 && lines.length < 30, `${lines.length}`);
});

Deno.test("loadAuthorise: a file that is missing, broken or without the function is refused in one line (SPEC 14.21)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    const cases = [
      ["syntax.ts", "export const authorise = (;"],
      ["throws.ts", "throw new Error('planted');"],
      ["other.ts", "export const authorize = () => {};"],
      ["value.ts", "export const authorise = 1;"],
      ["imports.ts", "import './nothing.ts';"],
      ["missing.ts", undefined],
    ] as const;
    for (const [name, text] of cases) {
      const path = `${folder}/${name}`;
      if (text !== undefined) await Deno.writeTextFile(path, text);
      const { message } = await assertRejects(() => loadAuthorise(path), UsageError);
      assertStringIncludes(message, `--authorise ${path} cannot be used: `);
      assert(!message.includes("\n"), message);
    }
    await Deno.writeTextFile(
      `${folder}/with # and %20.ts`,
      "export const authorise = () => ({ refusal: 'no' });",
    );
    const authorise = await loadAuthorise(`${folder}/with # and %20.ts`);
    assertEquals(authorise({ ...QUESTION, signal: new AbortController().signal }), {
      refusal: "no",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
