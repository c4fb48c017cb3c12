/**
 * The door of the hunted server: the real desk and its real tickets, on a clock that can be set
 * ahead. Players come in without a ticket, as they may where none is needed; only faults of tickets
 * lead through the door.
 */
import type { EntryWish } from "../../server/rooms.ts";
import { ServerSecret } from "../../server/server_secret.ts";
import {
  type Admittance,
  type Applicant,
  type Entrance,
  type JoinAnswer,
  JoinDesk,
} from "../../server/tickets/join_desk.ts";
import { Tickets } from "../../server/tickets/tickets.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { LOCAL_PEER } from "../../server/match/clients/peer.ts";

/** A new process begins at least so long after the older one's end, ms. */
const START_MS = 1;

/** No cookie, and no other sign of who it is. */
const APPLICANT: Applicant = { ...LOCAL_PEER, headers: { authorization: "", cookie: "" } };

/** What a player asks for. */
export interface TicketWish extends Pick<EntryWish, "gameId" | "protocolVersion" | "room"> {
  readonly name: string;
  readonly resume: ResumeToken | undefined;
}

/** An answer; undefined if the server has died. */
export type OnAnswer = (answer: JoinAnswer | undefined) => void;

export class HuntedDoor {
  readonly #secret: ServerSecret;
  #desk!: JoinDesk;
  /** By how much the door's clock is ahead of the lab's. */
  #aheadMs = 0;
  /** The words of each refused ticket. */
  readonly refusals: string[] = [];
  #asked: { readonly wish: TicketWish; readonly onAnswer: OnAnswer }[] = [];

  constructor(seed: number) {
    this.#secret = ServerSecret.ofText(`the hunt of seed ${seed}`);
  }

  /**
   * Another server has begun, or the first one. It has the same secret, and has forgotten which
   * tickets were used.
   */
  openServer(entrance: Entrance, { clock, upAtMs }: { clock: Clock; upAtMs: number }): void {
    const tickets = new Tickets(this.#secret, {
      now: () => Math.max(clock.now(), upAtMs + START_MS) + this.#aheadMs,
    });
    this.#desk = new JoinDesk({
      tickets,
      entrance,
      hook: undefined,
      needsTicket: true,
      onRefused() {},
    });
  }

  /** Lets time pass at the door alone: hardly any server lives as long as a ticket here. */
  letPass(ms: number): void {
    this.#aheadMs += ms;
  }

  get isAsked(): boolean {
    return this.#asked.length > 0;
  }

  /** Asks for a ticket. The answer comes with the next slice of time. */
  ask(wish: TicketWish, onAnswer: OnAnswer): void {
    this.#asked.push({ wish, onAnswer });
  }

  /** Answers all who have asked. @param isUp whether there is a server */
  async answer(isUp: boolean): Promise<void> {
    for (const { wish, onAnswer } of this.#asked.splice(0)) {
      const { gameId: game, protocolVersion: protocol, room, name, resume } = wish;
      const body = { game, protocol, name, ...resume !== undefined && { resume } };
      onAnswer(isUp ? await this.#desk.join(room, body, APPLICANT) : undefined);
    }
  }

  /** Shows a ticket, as the socket of a page does. */
  redeem(ticket: string): Admittance {
    const admittance = this.#desk.redeem(ticket);
    if ("fault" in admittance) this.refusals.push(admittance.fault);
    return admittance;
  }
}
