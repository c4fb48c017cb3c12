/** Messages between the pages of a room, as honest pages and others send them. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  PAGE_MESSAGE_BYTES_MAX,
  type PageMessage,
  PageMessageError,
  readMessage,
  writtenMessage,
} from "../../../client/page_rooms/page_message.ts";
import { Random } from "../../../shared/random.ts";

const PAGE = "0123456789abcdef0123456789abcdef";
const OTHER = "f".repeat(32);

const MESSAGES: readonly PageMessage[] = [
  {
    type: "beat",
    term: 3,
    host: PAGE,
    since: 88,
    tick: -1,
    roundTripMs: 40.5,
    responseMs: 93,
    misses: true,
    atMs: 12_345.75,
    echo: { atMs: 1, heldMs: 2.5 },
  },
  {
    type: "beat",
    term: 0,
    host: "",
    since: 0,
    tick: 7,
    roundTripMs: 0,
    responseMs: 0,
    misses: false,
    atMs: 0,
    echo: null,
  },
  {
    type: "roster",
    term: 1,
    since: 0,
    pages: [PAGE, OTHER],
    seats: [
      { seat: 0, entersAt: undefined, page: PAGE, awayMs: 0 },
      { seat: 5, entersAt: 99, page: OTHER, awayMs: 30_000 },
    ],
    match: { npcs: 2, seed: 4_294_967_295, choices: [0, 3], claim: OTHER },
  },
  { type: "lead", term: 2, since: 400 },
  { type: "leave", term: 2 },
  { type: "relay", from: PAGE, to: OTHER, text: "any" },
];

Deno.test("readMessage: every message comes back (SPEC 23.2)", () => {
  for (const message of MESSAGES) assertEquals(readMessage(writtenMessage(message)), message);
});

Deno.test("readMessage: what no honest page sends is refused by name (SPEC 23.8)", () => {
  const [beat, , roster, lead] = MESSAGES as [object, object, { match: object }, object];
  const refused = (message: unknown, words: string) =>
    assertThrows(
      () => readMessage(typeof message === "string" ? message : JSON.stringify(message)),
      PageMessageError,
      words,
    );
  refused("", "no JSON");
  refused("null", "unknown type");
  refused({ type: "toString" }, "unknown type");
  refused("x".repeat(PAGE_MESSAGE_BYTES_MAX + 1), "too long");
  refused({ ...lead, term: 1.5 }, "term is no whole number");
  refused({ ...lead, term: -1 }, "term is no number from 0");
  refused({ ...lead, since: "7" }, "since is no number");
  refused({ ...beat, host: "short" }, "a page's id is 32 hexadecimal digits");
  refused({ ...beat, misses: 1 }, "misses is neither true nor false");
  refused({ ...beat, echo: 5 }, "echo is no object");
  refused({ ...roster, pages: Array(33).fill(PAGE) }, "pages is no list of up to 32");
  refused({ ...roster, seats: [null] }, "an item is no object");
  refused({ ...roster, seats: [{ seat: 32, page: PAGE, awayMs: 0 }] }, "seat is no number");
  refused({ ...roster, match: { ...roster.match, choices: [256] } }, "a choice is a whole number");
  refused({ ...roster, match: { ...roster.match, claim: "" } }, "a claim is 32 hexadecimal digits");
});

Deno.test("readMessage: changed texts give a message or a PageMessageError (SPEC 23.8) [seed 1]", () => {
  const random = new Random(1);
  for (let i = 0; i < 20_000; i++) {
    const text = [...writtenMessage(MESSAGES[random.below(MESSAGES.length)]!)];
    for (let changes = 1 + random.below(3); changes > 0; changes--) {
      const character = String.fromCharCode(32 + random.below(95));
      text.splice(random.below(text.length), random.below(3), character);
    }
    try {
      readMessage(text.join(""));
    } catch (error) {
      if (!(error instanceof PageMessageError)) throw error;
    }
  }
});
