/**
 * Players come back with a ticket that admits nobody: the server refuses it in words, and they need
 * a new one.
 */
import { TICKET_SECONDS } from "../../../../server/tickets/tickets.ts";
import type { Simulation } from "../../../../shared/netcode/game.ts";
import type { HuntedResident, HuntedWorld } from "../hunted_world.ts";
import type { Fault } from "../schedule.ts";
import { Broken } from "../witness.ts";
import { connectionOf, type FaultKind } from "./fault.ts";

const USED = "the ticket was used before";
/** Also the words for a ticket that an earlier server made. */
const TOO_OLD = "the ticket is too old";

/** Gives the player whom a fault hits a ticket, as their page would ask for it. */
function giveTicket<Command, Sim extends Simulation<Command>>(
  world: HuntedWorld<Command, Sim>,
  fault: Fault,
  act: (resident: HuntedResident<Command, Sim>, ticket: string) => void,
): void {
  if (connectionOf(world, fault) === undefined) return;
  const resident = world.residents[fault.who]!;
  resident.askForTicket((answer) => {
    if (answer !== undefined && "ticket" in answer) act(resident, answer.ticket);
  });
}

/** The ticket's socket was lost before its hello, and the page shows the ticket again. */
const usedTicket: FaultKind = {
  weight: 1,
  begin(world, fault) {
    giveTicket(world, fault, (resident, ticket) => {
      const verdict = world.admission.redeem(ticket);
      if ("fault" in verdict) {
        throw new Broken("a new ticket lets its player in", verdict.fault);
      }
      resident.comeBackWith({ ticket, words: [USED, TOO_OLD] }, fault.ms);
    });
  },
};

/** The device slept between the ticket and the socket. */
const expiredTicket: FaultKind = {
  weight: 1,
  begin(world, fault) {
    giveTicket(world, fault, (resident, ticket) => {
      world.admission.letPass(TICKET_SECONDS * 1000);
      resident.comeBackWith({ ticket, words: [TOO_OLD] }, fault.ms);
    });
  },
};

export const TICKET_FAULTS = {
  "return with a used ticket": usedTicket,
  "return with an expired ticket": expiredTicket,
} as const;
