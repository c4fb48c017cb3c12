/**
 * Admission to the hunted server: the real one with its real tickets, on a clock that can be set
 * ahead. Players come in without a ticket, as they may where none is needed; only ticket faults
 * make them use one.
 */
import type { EntryRequest } from "../../../server/capacity/request_fault.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import {
  Admission,
  type Applicant,
  type Entrance,
  type JoinAnswer,
  type UpgradeVerdict,
} from "../../../server/tickets/admission.ts";
import { Tickets } from "../../../server/tickets/tickets.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import { LOCAL_PEER } from "../../../server/match/clients/peer.ts";

/** How long after the previous process's end a new one begins at least, ms. */
const START_MS = 1;

/** Without a cookie, or any other sign of who it is. */
const APPLICANT: Applicant = { ...LOCAL_PEER, headers: { authorization: "", cookie: "" } };

/** What a player asks for. */
export interface TicketRequest extends Pick<EntryRequest, "gameId" | "protocolVersion" | "room"> {
  readonly name: string;
  readonly resume: ResumeToken | undefined;
}

/** An answer; undefined if the server has died. */
export type OnAnswer = (answer: JoinAnswer | undefined) => void;

export class HuntedAdmission {
  readonly #secret: ServerSecret;
  #admission!: Admission;
  /** How far admission's clock is ahead of the lab's. */
  #aheadMs = 0;
  /** The words with which tickets were refused. */
  readonly refusals: string[] = [];
  #asked: { readonly request: TicketRequest; readonly onAnswer: OnAnswer }[] = [];

  constructor(seed: number) {
    this.#secret = ServerSecret.ofText(`the hunt of seed ${seed}`);
  }

  /**
   * Opens the first server, or another one with the same secret that has forgotten which tickets
   * were used.
   */
  openServer(entrance: Entrance, { clock, upAtMs }: { clock: Clock; upAtMs: number }): void {
    const tickets = new Tickets(this.#secret, {
      now: () => Math.max(clock.now(), upAtMs + START_MS) + this.#aheadMs,
    });
    this.#admission = new Admission({
      tickets,
      entrance,
      hook: undefined,
      needsTicket: true,
      onRefused() {},
    });
  }

  /**
   * Lets time pass only for admission, because hardly any server here lives as long as a ticket.
   */
  letPass(ms: number): void {
    this.#aheadMs += ms;
  }

  get isAsked(): boolean {
    return this.#asked.length > 0;
  }

  /** Asks for a ticket. The answer comes with the next slice of time. */
  ask(request: TicketRequest, onAnswer: OnAnswer): void {
    this.#asked.push({ request, onAnswer });
  }

  /** Answers everyone who has asked. @param isUp whether there is a server */
  async answer(isUp: boolean): Promise<void> {
    for (const { request, onAnswer } of this.#asked.splice(0)) {
      const { gameId: game, protocolVersion: protocol, room, name, resume } = request;
      const body = { game, protocol, name, ...resume !== undefined && { resume } };
      onAnswer(isUp ? await this.#admission.join(room, body, APPLICANT) : undefined);
    }
  }

  /** Shows a ticket, as the socket of a page does. */
  redeem(ticket: string): UpgradeVerdict {
    const verdict = this.#admission.redeem(ticket);
    if ("fault" in verdict) this.refusals.push(verdict.fault);
    return verdict;
  }
}
