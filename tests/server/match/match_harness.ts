/** A match of the counter game with a clock, and clients that send what a test chooses. */
import { assert } from "@std/assert";
import { Match } from "../../../server/match/match.ts";
import type { JoinRequest, MatchOptions } from "../../../server/match/match_options.ts";
import { nameForms } from "../../../server/names/name_forms.ts";
import type { Game, Tick } from "../../../shared/netcode/game.ts";
import type {
  Arrivals,
  CommandMessage,
  CommandsMessage,
  TickMessage,
} from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import {
  type CounterCommand,
  counterGame,
  type CounterSimulation,
} from "../../tools/lab/counter_game.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";

const TICK_MS = 50;
const DEFAULTS = { npcs: 0, seed: 1, stream: "commands", nameForms } as const;
/** More tokens than a test's match gives before it is resumed. */
const RESUMED_TOKENS = 1_000;
/** The messages that a match sends reliably, also by datagrams. */
const RELIABLE: readonly string[] = ["tick", "welcome", "notice"];
export const JOIN_REQUEST: JoinRequest = { name: "someone", spectate: false, resume: undefined };
export const commandWith = (presses: number): CounterCommand => ({ presses, dir: 1 });

/** Runs a match's next tick, and sends it. @param dueMs as for `Match.run` */
export function tickOnce<Command>(match: Match<Command>, dueMs: number): void {
  match.run(dueMs);
  match.record();
  match.broadcast();
}

/** A match and its clock. */
export class MatchHarness {
  nowMs = 0;
  readonly match: Match<CounterCommand>;

  constructor(
    { game = counterGame, ...options }:
      & { game?: Game<CounterCommand, CounterSimulation> }
      & Partial<Pick<MatchOptions<CounterCommand>, "npcs" | "stream" | "idleSeconds">>
      & Partial<Pick<MatchOptions<CounterCommand>, "recorder" | "from" | "onRoundOver">> = {},
  ) {
    const clock = { now: () => this.nowMs };
    // Those of a resumed match differ from those in its log.
    let tokens = options.from === undefined ? 0 : RESUMED_TOKENS;
    const newToken = () => (++tokens).toString(16).padStart(32, "0");
    this.match = new Match(game, { ...DEFAULTS, ...options, clock, newToken });
  }

  run(ticks: number): void {
    for (let i = 0; i < ticks; i++) {
      this.nowMs += TICK_MS;
      tickOnce(this.match, this.nowMs);
    }
  }

  /** Joins on a link that nobody reads. @returns whether the match accepted it */
  tryJoin(request: Partial<JoinRequest>): boolean {
    return this.match.join(LocalLink.pair()[1], { ...JOIN_REQUEST, ...request });
  }

  join(request: Partial<JoinRequest> = {}): TestClient {
    return new TestClient(this, request);
  }

  /** Joins on a datagram link. */
  joinByDatagram(request: Partial<JoinRequest> = {}): TestClient {
    return new TestClient(this, request, { ordered: false });
  }
}

/** A client that sends what a test chooses. */
export class TestClient {
  readonly #encoder: ClientMessageEncoder<CounterCommand>;
  readonly #decoder = new ServerMessageDecoder(counterGame.command);
  readonly link: LocalLink;
  /** The server's end of the link. */
  readonly serverEnd: LocalLink;
  readonly ticks: TickMessage<CounterCommand>[] = [];
  /** On a datagram link: the ticks of the newest datagram, and its length in bytes. */
  datagram: readonly TickMessage<CounterCommand>[] = [];
  datagramBytes = 0;
  /** The newest report of this client's datagrams. */
  arrivals: Arrivals | undefined;
  /** Bytes of all tick messages and pongs received, and of all messages sent. */
  bytesReceived = 0;
  bytesSent = 0;
  /** The ids of the pings that were answered by a message of its own. */
  readonly pongs: number[] = [];
  readonly notices: string[] = [];
  seat = -1;
  resume = "";

  constructor(
    harness: MatchHarness,
    request: Partial<JoinRequest>,
    linkOptions: { ordered?: boolean } = {},
  ) {
    [this.link, this.serverEnd] = LocalLink.pair(linkOptions);
    this.#encoder = new ClientMessageEncoder(counterGame.command, this.link);
    this.link.onMessage((bytes, reliably) => {
      const message = this.#decoder.decode(bytes);
      if (message.type === "welcome") {
        this.seat = message.seat ?? -1;
        this.resume = message.resume;
      } else this.bytesReceived += bytes.length;
      if (message.type === "tick") this.ticks.push(message);
      if (message.type === "notice") this.notices.push(message.text);
      if (message.type === "pong") this.pongs.push(message.id);
      assert(
        reliably === RELIABLE.includes(message.type) || this.link.ordered,
      );
      if (message.type !== "ticks") return;
      this.datagram = message.ticks;
      this.arrivals = message.arrivals;
      this.datagramBytes = bytes.length;
    });
    assert(harness.match.join(this.serverEnd, { ...JOIN_REQUEST, ...request }));
  }

  command(
    tick: Tick,
    command: CounterCommand,
    rest: Partial<CommandMessage<CounterCommand>> = {},
  ): void {
    const received = this.ticks.at(-1)?.tick ?? 0;
    const message = {
      type: "command",
      tick,
      command,
      received,
      leadMs: 60,
      isDesynced: false,
      ...rest,
    } as const;
    this.send(message);
  }

  /** Sends a client datagram: `presses` for `tick` and the ticks before it, the newest first. */
  commands(
    tick: Tick,
    presses: readonly number[],
    rest: Partial<CommandsMessage<CounterCommand>> = {},
  ): void {
    const commands = presses.map(commandWith);
    const message = {
      type: "commands",
      tick,
      commands,
      received: 0,
      leadMs: 60,
      isDesynced: false,
      ...rest,
    } as const;
    this.send(message);
  }

  /** Reports, as a spectator does, that it is desynced. */
  report(): void {
    this.send({ type: "report", received: this.newest.tick });
  }

  send(message: Parameters<ClientMessageEncoder<CounterCommand>["encode"]>[0]): void {
    const bytes = this.#encoder.encode(message);
    this.bytesSent += bytes.length;
    this.link.send(bytes);
  }

  /** The commands of `seat` for `tick` that this client has received. */
  announced(seat: number, tick: Tick): CounterCommand[] {
    return this.ticks.flatMap(({ announcements }) => announcements)
      .filter((each) => each.seat === seat && each.tick === tick).map(({ command }) => command);
  }

  get newest(): TickMessage<CounterCommand> {
    return this.ticks.at(-1)!;
  }
}
