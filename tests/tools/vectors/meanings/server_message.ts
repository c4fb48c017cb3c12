/** The server's messages as WIRE 13 has them. */
import type { Tick } from "../../../../shared/netcode/game.ts";
import type {
  Announcement,
  Arrivals,
  PresenceChange,
  TickMessage,
} from "../../../../shared/netcode/wire/messages.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import { type Advice } from "../../../../shared/netcode/wire/advice_codec.ts";
import { dequantizeLead, quantizeLead } from "../../../../shared/netcode/wire/messages.ts";
import type { CommandValues } from "../games/vector_game.ts";
import type { BodiesMeaning } from "./sent_bodies.ts";

type PresenceRow = readonly [seat: number, tick: Tick, present: 0 | 1, name: string];
type AnnouncementRow = readonly [seat: number, tick: Tick, command: CommandValues];
export type SeatRow = readonly [
  seat: number,
  name: string,
  age: number,
  command: CommandValues | null,
];
/**
 * A seat's newest announced command that does not follow from the state. Without a command the seat
 * has none.
 */
export type ReplacedRow = AnnouncementRow | readonly [seat: number, tick: null, command: null];

export interface WelcomeMeaning {
  readonly type: "welcome";
  readonly seat: number | null;
  readonly resumed: 0 | 1;
  readonly token: string;
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
  readonly ordered: 0 | 1;
}

export interface PongMeaning {
  readonly type: "pong";
  readonly id: number;
  /** The server's clock in 1/1024 of a tick. */
  readonly clock: number;
}

export interface DeltaMeaning {
  readonly hash: number;
  readonly presence: readonly PresenceRow[];
  readonly announcements: readonly AnnouncementRow[];
}

/** Milliseconds, and quarters of a millisecond. */
export interface AdviceMeaning {
  readonly slack: number;
  readonly advisedLead: number;
}

export interface TickMeaning extends DeltaMeaning, AdviceMeaning {
  readonly type: "tick";
  readonly tick: Tick;
  /**
   * As coded: the clock without the message's tick, and how long the ping waited, in 1/1024 of a
   * tick.
   */
  readonly pong: { readonly id: number; readonly clock: number; readonly held: number } | null;
  readonly bodies: BodiesMeaning | null;
}

export interface StateMeaning extends DeltaMeaning, AdviceMeaning {
  readonly type: "state";
  readonly tick: Tick;
  readonly seats: readonly SeatRow[];
  readonly replaced: readonly ReplacedRow[];
  readonly snapshot:
    | { readonly length: number; readonly deflated: 0 | 1; readonly bytes: string }
    | null;
  readonly bodies: BodiesMeaning | null;
}

/** The client's datagrams of `newest` and the seven ticks before it, the newest first. */
export interface ArrivalsMeaning {
  readonly newest: Tick;
  readonly counts: readonly number[];
  readonly read: readonly (0 | 1)[];
}

export interface TicksMeaning extends AdviceMeaning {
  readonly type: "ticks";
  readonly newest: Tick;
  readonly ticks: readonly DeltaMeaning[];
  readonly arrivals: ArrivalsMeaning | null;
  /** The tick of the known bodies that the bodies are coded against. */
  readonly base: Tick | null;
  readonly bodies: BodiesMeaning | "unread" | null;
}

export interface EarlyMeaning {
  readonly type: "early";
  readonly announcements: readonly AnnouncementRow[];
}

export interface NoticeMeaning {
  readonly type: "notice";
  readonly text: string;
}

export interface OfferMeaning {
  readonly type: "offer";
  readonly port: number;
  readonly token: string;
  /** The SHA-256 of the certificate. */
  readonly hash: string | null;
}

export interface ResumeMeaning extends AdviceMeaning {
  readonly type: "resume";
  readonly tick: Tick;
  /** The newest announced command of each seat that has one. */
  readonly newest: readonly AnnouncementRow[];
}

export type ServerMeaning =
  | WelcomeMeaning
  | PongMeaning
  | TickMeaning
  | StateMeaning
  | TicksMeaning
  | EarlyMeaning
  | NoticeMeaning
  | OfferMeaning
  | ResumeMeaning;

export function arrivalsMeaningOf(arrivals: Arrivals | undefined): ArrivalsMeaning | null {
  if (arrivals === undefined) return null;
  const { newest, counts, areRead } = arrivals;
  return { newest, counts, read: areRead.map((isRead) => isRead ? 1 : 0) };
}

/** The inverse of `arrivalsMeaningOf`. */
export function arrivalsOf(meaning: ArrivalsMeaning | null): Arrivals | undefined {
  if (meaning === null) return undefined;
  return {
    newest: meaning.newest,
    counts: meaning.counts,
    areRead: meaning.read.map((read) => read === 1),
  };
}

type Delta = Pick<TickMessage<CommandValues>, "hash" | "presence" | "announcements">;

export function deltaMeaningOf({ hash, presence, announcements }: Delta): DeltaMeaning {
  return {
    hash,
    presence: presence.map(({ seat, tick, present, name }) => [seat, tick, present ? 1 : 0, name]),
    announcements: rowsOf(announcements),
  };
}

/** Announcements as rows, in their order. */
export function rowsOf(announcements: readonly Announcement<CommandValues>[]): AnnouncementRow[] {
  return announcements.map(({ seat, tick, command }) => [seat, tick, command]);
}

/** The inverse of `rowsOf`. */
export function announcementsOf(rows: readonly AnnouncementRow[]): Announcement<CommandValues>[] {
  return rows.map(([seat, tick, command]) => ({ seat, tick, command }));
}

export function tickDeltaOf({ hash, presence, announcements }: DeltaMeaning): Delta {
  return {
    hash,
    presence: presence.map(([seat, tick, present, name]): PresenceChange => ({
      seat,
      tick,
      name,
      present: present === 1,
    })),
    announcements: announcementsOf(announcements),
  };
}

export function adviceMeaningOf({ slackMs, advisedLeadMs }: Advice): AdviceMeaning {
  return { slack: slackMs, advisedLead: quantizeLead(advisedLeadMs) };
}

export function adviceOf({ slack, advisedLead }: AdviceMeaning): Advice {
  return { slackMs: slack, advisedLeadMs: dequantizeLead(advisedLead) };
}

/** The newest announced commands that follow from a state alone. */
export function derivedBaselines(
  { tick, seats, announcements }: Pick<StateMeaning, "tick" | "seats" | "announcements">,
): AnnouncementBaselines<CommandValues> {
  const derived = new AnnouncementBaselines<CommandValues>();
  for (const [seat, , age, command] of seats) {
    if (command !== null) derived.update(seat, tick - age, command);
  }
  for (const [seat, announced, command] of announcements) derived.update(seat, announced, command);
  return derived;
}
