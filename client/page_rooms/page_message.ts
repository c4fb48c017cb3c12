/**
 * The messages between the pages of one room, beside the match itself. They are JSON texts, because
 * there are few of them, and a page's console shows them.
 *
 *     beat     four times a second to every page: who hosts, how far the sender is, whom it misses
 *     roster   from the host: who is there, and whose seat is which
 *     lead     from a new host
 *     leave    from a host that closes its page
 *     relay    from page to page through a third one: how to connect
 */
import type { LoggedPlayer } from "../../shared/netcode/match_log/records.ts";
import { SEATS, type Tick } from "../../shared/netcode/game.ts";

/** A page in its room: 32 hexadecimal digits, drawn at random. */
export type PageId = string;

/** How a room's match began: with this any page can go on with it. */
export interface RoomMatch {
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
  /** With it any page of the room takes the host's place at a server: 32 hexadecimal digits. */
  readonly claim: string;
}

/** A player and their page: the page's id is the token of its seat. */
export type PageSeat = Pick<LoggedPlayer, "seat" | "entersAt"> & {
  readonly page: PageId;
  /** How long nobody has heard from the page, ms. */
  readonly awayMs: number;
};

export interface Beat {
  readonly type: "beat";
  /** Grows with each host. */
  readonly term: number;
  /** Empty for a page that knows none. */
  readonly host: PageId;
  /** The tick at which the host's term began. */
  readonly since: Tick;
  /** The sender's newest definitive tick; −1 without one. */
  readonly tick: Tick;
  /** The sender's mean round trip to the others, ms. */
  readonly roundTripMs: number;
  /** The sender's lead and half its round trip to the host, ms; 0 while it does not play. */
  readonly responseMs: number;
  /** Whether the sender hears nothing from the host. */
  readonly misses: boolean;
  /** The sender's clock, ms. */
  readonly atMs: number;
  /** The receiver's clock in its newest beat, and for how long the sender has had that, ms. */
  readonly echo: { readonly atMs: number; readonly heldMs: number } | null;
}

export interface Roster {
  readonly type: "roster";
  readonly term: number;
  /** The tick at which the host's term began. */
  readonly since: Tick;
  readonly pages: readonly PageId[];
  readonly seats: readonly PageSeat[];
  readonly match: RoomMatch;
}

export interface Lead {
  readonly type: "lead";
  readonly term: number;
  /** The tick at which its term begins. */
  readonly since: Tick;
}

export interface Leave {
  readonly type: "leave";
  readonly term: number;
}

export interface Relay {
  readonly type: "relay";
  readonly from: PageId;
  readonly to: PageId;
  /** A description of a connection; only the two pages read it. */
  readonly text: string;
}

export type PageMessage = Beat | Roster | Lead | Leave | Relay;

/** The longest message, bytes: a description of a connection with a few dozen addresses. */
export const PAGE_MESSAGE_BYTES_MAX = 16_384;
/** The most pages in a room: all players' and as many watchers'. */
export const PAGES_MAX = 32;
const CHOICES_MAX = 16;
const NUMBER_MAX = 2 ** 48;
const DIGITS = /^[0-9a-f]{32}$/;

/** A message that no honest page sends. */
export class PageMessageError extends Error {
  override readonly name = "PageMessageError";
}

export function writtenMessage(message: PageMessage): string {
  return JSON.stringify(message);
}

/** @throws PageMessageError for anything but a message */
export function readMessage(text: string): PageMessage {
  if (text.length > PAGE_MESSAGE_BYTES_MAX) {
    throw new PageMessageError("a message that is too long");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PageMessageError("a message that is no JSON");
  }
  const message = value as { readonly type?: unknown };
  const read = typeof message?.type === "string" && Object.hasOwn(READERS, message.type)
    ? READERS[message.type as PageMessage["type"]](new Fields(message as object))
    : undefined;
  if (read === undefined) throw new PageMessageError("a message of an unknown type");
  return read;
}

/** The properties of a value from elsewhere. Each reader throws for what it does not allow. */
class Fields {
  readonly #of: Readonly<Record<string, unknown>>;

  constructor(of: object) {
    this.#of = of as Record<string, unknown>;
  }

  number(name: string, { min = 0, max = NUMBER_MAX } = {}): number {
    const value = this.#of[name];
    if (typeof value === "number" && value >= min && value <= max) return value;
    throw new PageMessageError(`${name} is no number from ${min} to ${max}`);
  }

  whole(name: string, { min = 0, max = NUMBER_MAX } = {}): number {
    const value = this.number(name, { min, max });
    if (Number.isInteger(value)) return value;
    throw new PageMessageError(`${name} is no whole number`);
  }

  flag(name: string): boolean {
    const value = this.#of[name];
    if (typeof value === "boolean") return value;
    throw new PageMessageError(`${name} is neither true nor false`);
  }

  text(name: string): string {
    const value = this.#of[name];
    if (typeof value === "string") return value;
    throw new PageMessageError(`${name} is no text`);
  }

  page(name: string): PageId {
    return digitsIn(this.#of[name], "a page's id");
  }

  claim(name: string): string {
    return digitsIn(this.#of[name], "a claim");
  }

  fields(name: string): Fields {
    const value = this.#of[name];
    if (typeof value === "object" && value !== null) return new Fields(value);
    throw new PageMessageError(`${name} is no object`);
  }

  has(name: string): boolean {
    return this.#of[name] !== undefined && this.#of[name] !== null;
  }

  list<Item>(name: string, max: number, read: (item: unknown) => Item): Item[] {
    const value = this.#of[name];
    if (Array.isArray(value) && value.length <= max) return value.map(read);
    throw new PageMessageError(`${name} is no list of up to ${max}`);
  }
}

function pageIn(value: unknown): PageId {
  return digitsIn(value, "a page's id");
}

function digitsIn(value: unknown, what: string): string {
  if (typeof value === "string" && DIGITS.test(value)) return value;
  throw new PageMessageError(`${what} is 32 hexadecimal digits`);
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === "object" && value !== null) return new Fields(value);
  throw new PageMessageError("an item is no object");
}

const READERS: Readonly<Record<PageMessage["type"], (fields: Fields) => PageMessage>> = {
  beat: (fields) => ({
    type: "beat",
    term: fields.whole("term"),
    host: fields.text("host") === "" ? "" : fields.page("host"),
    since: fields.whole("since"),
    tick: fields.whole("tick", { min: -1 }),
    roundTripMs: fields.number("roundTripMs"),
    responseMs: fields.number("responseMs"),
    misses: fields.flag("misses"),
    atMs: fields.number("atMs"),
    echo: fields.has("echo") ? echoOf(fields.fields("echo")) : null,
  }),
  roster: (fields) => ({
    type: "roster",
    term: fields.whole("term"),
    since: fields.whole("since"),
    pages: fields.list("pages", PAGES_MAX, pageIn),
    seats: fields.list("seats", SEATS, (item) => seatOf(fieldsOf(item))),
    match: matchOf(fields.fields("match")),
  }),
  lead: (fields) => ({
    type: "lead",
    term: fields.whole("term"),
    since: fields.whole("since"),
  }),
  leave: (fields) => ({ type: "leave", term: fields.whole("term") }),
  relay: (fields) => ({
    type: "relay",
    from: fields.page("from"),
    to: fields.page("to"),
    text: fields.text("text"),
  }),
};

function echoOf(fields: Fields): NonNullable<Beat["echo"]> {
  return { atMs: fields.number("atMs"), heldMs: fields.number("heldMs") };
}

function seatOf(fields: Fields): PageSeat {
  return {
    seat: fields.whole("seat", { max: SEATS - 1 }),
    entersAt: fields.has("entersAt") ? fields.whole("entersAt") : undefined,
    page: fields.page("page"),
    awayMs: fields.number("awayMs"),
  };
}

function matchOf(fields: Fields): RoomMatch {
  return {
    npcs: fields.whole("npcs", { max: SEATS }),
    seed: fields.whole("seed", { max: 2 ** 32 - 1 }),
    choices: fields.list("choices", CHOICES_MAX, (value) => {
      if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256) {
        return value as number;
      }
      throw new PageMessageError("a choice is a whole number up to 255");
    }),
    claim: fields.claim("claim"),
  };
}
