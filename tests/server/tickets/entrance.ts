/** Admission and the rooms behind it, without a network: a test comes in as a client would. */
import type { TicketClaims } from "../../../server/match/clients/peer.ts";
import { Rooms } from "../../../server/rooms/rooms.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../server/settings/limits.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import type { Authorise } from "../../../server/tickets/authorise.ts";
import { AuthoriseHook } from "../../../server/tickets/authorise_hook.ts";
import { Admission } from "../../../server/tickets/admission.ts";
import { Tickets } from "../../../server/tickets/tickets.ts";
import { type Hello, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { type CounterCommand, counterGame } from "../../tools/lab/counter_game.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { seededSecret } from "../../support/seeded_secret.ts";

export const KEY = "0123456789abcdefghijkl";

/** What a test's client asks for. */
export interface EntranceRequest {
  readonly room?: string;
  readonly role?: "player" | "watcher";
  readonly name?: string;
  readonly key?: string;
  readonly resume?: string;
  readonly credentials?: string;
  readonly address?: string;
}

/** A client, with what the server has answered. */
export interface Entrant {
  readonly near: LocalLink;
  /** The seat; -1 for a spectator, undefined without a welcome. */
  seat: number | undefined;
  resume: string;
  readonly ticks: number[];
  /** Commands something, after which the player has a seat to lose. */
  play(): void;
}

export function openEntrance({ hook, limits, needsTicket = true }: {
  hook?: Authorise;
  limits?: Partial<Limits>;
  needsTicket?: boolean;
} = {}) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const secret = ServerSecret.drawn();
  const rooms = new Rooms({
    games: { counter: counterGame },
    clock,
    npcs: 0,
    secret: seededSecret(5),
    stream: "commands",
    log() {},
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  const tickets = new Tickets(secret, clock);
  const refused: number[] = [];
  const admission = new Admission({
    tickets,
    entrance: rooms,
    needsTicket,
    hook: hook && new AuthoriseHook(hook, { log() {} }),
    onRefused: (code) => refused.push(code),
  });
  const run = (ticks: number) => {
    for (let i = 0; i < ticks; i++) rooms.tick(clock.nowMs += 50);
  };

  /** Asks for admission. @param more fields of the body that are wrong */
  const ask = (
    { room = "ABCD", address = "a", ...request }: EntranceRequest = {},
    more: object = {},
  ) =>
    admission.join(
      room,
      { game: counterGame.id, protocol: PROTOCOL_VERSION, ...request, ...more },
      {
        address,
        addressBlock: address,
        headers: { authorization: "", cookie: "" },
      },
    );

  /** Opens a link with a ticket, or without one, and sends a hello. */
  const connect = (ticket: string | undefined, hello: Partial<Hello>, address = "a"): Entrant => {
    const admittance = admission.redeem(ticket);
    if ("fault" in admittance) throw new Error(admittance.fault);
    return connectTo(rooms, { claims: admittance.claims, hello, address });
  };

  /** Asks for a ticket and comes in with it. @throws Error with the words of a refusal */
  const enter = async ({ room = "ABCD", ...request }: EntranceRequest = {}): Promise<Entrant> => {
    const answer = await ask({ room, ...request });
    if ("code" in answer) throw new Error(`${answer.code}: ${answer.reason}`);
    return connect(
      answer.ticket,
      { room, spectate: request.role === "watcher", resume: request.resume },
      request.address,
    );
  };

  /** The names in a room, by seat. */
  const namesIn = (room = "ABCD") =>
    new Map(
      rooms.details().find((each) => each.room === room)!.clients.map((
        { seat, name },
      ) => [seat ?? -1, name]),
    );
  return { admission, rooms, tickets, refused, run, ask, connect, enter, namesIn, clock };
}

/** Opens a link to the rooms and sends a hello. */
function connectTo(
  rooms: Rooms<CounterCommand>,
  { claims, hello, address }: {
    claims: TicketClaims | undefined;
    hello: Partial<Hello>;
    address: string;
  },
): Entrant {
  const [near, far] = LocalLink.pair();
  const decoder = new ServerMessageDecoder(counterGame.command);
  const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
  const ticks: number[] = [];
  const entrant: Entrant = {
    near,
    seat: undefined,
    resume: "",
    ticks,
    play() {
      const received = ticks.at(-1)!;
      const command = { presses: 0, dir: 0 };
      near.send(
        encoder.encode({
          type: "command",
          tick: received + 3,
          command,
          leadMs: 0,
          received,
          isDesynced: false,
        }),
      );
    },
  };
  near.onMessage((bytes) => {
    const message = decoder.decode(bytes);
    if (message.type === "tick") ticks.push(message.tick);
    if (message.type === "welcome") {
      Object.assign(entrant, { seat: message.seat ?? -1, resume: message.resume });
    }
  });
  rooms.admit(far, { link: 1, address, addressBlock: address, ticket: claims });
  near.send(encoder.encode({
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: counterGame.id,
    room: "ABCD",
    name: "the hello's",
    spectate: false,
    bodyStreamMode: "no",
    choices: [],
    resume: undefined,
    ...hello,
  }));
  return entrant;
}
