/**
 * One player: a person or the visitor, their own session, and its connection through the simulated
 * network. Everything that arrives is also given to the viewers of both sides.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { ClientLink, Clock } from "../../../shared/netcode/link.ts";
import type { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import {
  type Sending,
  SimulatedLink,
} from "../../../shared/netcode/simulated_network/simulated_link.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { ClientMessageDecoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import type { BotPlayer } from "../../bots/npc_bot.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";
import { SessionDatagrams } from "../../session/datagrams/session_datagrams.ts";
import { bodyStreamSupport } from "../../session/body_stream_client.ts";
import { type CommandSource, Session } from "../../session/session.ts";
import type { CopiedLink } from "./copied_link.ts";
import type { OnServerArrival } from "./lab_server.ts";

/** Commands that viewers may still ask for: more than any lead and rollback. */
const COMMANDS_KEPT = 256;

export interface LabPlayerOptions {
  readonly game: LooseGame;
  readonly name: string;
  readonly person: BotPlayer<LooseCommand, LooseSimulation>;
  readonly network: NetworkModel;
  readonly seed: number;
  readonly clock: Clock;
  readonly open: (onArrival: OnServerArrival) => LocalLink;
  readonly onSending: (sending: Sending) => void;
  /** Called when the server has got the command for a tick. */
  readonly onQueued: (tick: Tick) => void;
  /** Called with what the client learns of others' commands. */
  readonly onAnnounced: (announced: Announcement<LooseCommand>, isEarly: boolean) => void;
}

export class LabPlayer {
  readonly session: Session<LooseCommand, LooseSimulation>;
  readonly link: SimulatedLink;
  readonly copies: CopiedLink[] = [];
  readonly #options: LabPlayerOptions;
  readonly #commands = new TickRing<{ command: LooseCommand | undefined }>(
    COMMANDS_KEPT,
    () => ({ command: undefined }),
  );
  #newest: LooseCommand;
  /** The visitor's keys; undefined while the person plays. */
  #visitor: CommandSource<LooseCommand> | undefined;
  readonly #announced: ServerMessageDecoder<LooseCommand>;
  #arrivals: ClientMessageDecoder<LooseCommand> | undefined;

  constructor(options: LabPlayerOptions) {
    const { game, name, person, network, seed, clock, open, onSending } = options;
    this.#options = options;
    this.#newest = game.command.neutral;
    this.#announced = new ServerMessageDecoder(game.command);
    const end = open((message, by) => this.#onServerGot(message, by));
    this.link = new SimulatedLink(end, { model: network, seed, clock, onSending });
    this.session = new Session({
      game,
      link: this.#copying(this.link),
      clock,
      room: "LABS",
      name,
      commandSource: this.#source,
      bodyStream: bodyStreamSupport(game),
      datagramSupport: (use) => use(SessionDatagrams),
    });
    person.attach(this.session);
  }

  /** Lets the visitor play, or the person again. */
  control(visitor: CommandSource<LooseCommand> | undefined): void {
    this.#visitor = visitor;
    (visitor ?? this.#options.person).resume?.(this.#newest);
  }

  get isVisitors(): boolean {
    return this.#visitor !== undefined;
  }

  /** The commands that viewers give: the same as the session's, once it has given them. */
  readonly viewerSource: CommandSource<LooseCommand> = {
    next: (tick) => this.commandAt(tick),
    peek: (acknowledged) => this.#visitor?.peek?.(acknowledged) ?? this.#newest,
  };

  /** The command for a tick; the newest one for a tick that has none yet. */
  commandAt(tick: Tick): LooseCommand {
    return this.#commands.get(tick)?.command ?? this.#newest;
  }

  /** What the session sent and what it got, without headers. */
  get bytesUp(): number {
    return this.session.stats.bytesUp;
  }

  readonly #source: CommandSource<LooseCommand> = {
    next: (tick, acknowledged) => {
      const { person } = this.#options;
      // The person goes on to look and to decide while the visitor plays.
      const persons = person.next(tick, acknowledged);
      const command = this.#visitor?.next(tick, acknowledged) ?? persons;
      this.#newest = command;
      this.#commands.claim(tick).command = command;
      return command;
    },
    peek: (acknowledged) => this.#visitor?.peek?.(acknowledged) ?? this.#newest,
    resume: (own) => (this.#visitor ?? this.#options.person).resume?.(own),
  };

  /** The link, whose messages the viewers get, too. */
  #copying(link: SimulatedLink): ClientLink {
    const onMessage = link.onMessage.bind(link);
    link.onMessage = (handler) =>
      onMessage((message, reliably) => {
        this.#onClientGot(message);
        for (const copy of this.copies) copy.deliver(message, reliably);
        handler(message, reliably);
      });
    return link;
  }

  #onClientGot(message: Uint8Array): void {
    const { onAnnounced } = this.#options;
    const decoded = this.#announced.decode(message.slice());
    const ticks = decoded.type === "ticks"
      ? decoded.ticks
      : decoded.type === "tick"
      ? [decoded]
      : [];
    for (const tick of ticks) for (const each of tick.announcements) onAnnounced(each, false);
    if (decoded.type === "early") {
      for (const each of decoded.announcements) onAnnounced(each, true);
    }
  }

  #onServerGot(
    message: Uint8Array,
    { end, reliably }: { end: LocalLink; reliably: boolean },
  ): void {
    this.#arrivals ??= new ClientMessageDecoder(this.#options.game.command, end);
    const decoded = this.#arrivals.decode(message.slice(), reliably);
    if (decoded.type === "command") this.#options.onQueued(decoded.tick);
    else if (decoded.type === "commands") {
      for (let i = 0; i < decoded.commands.length; i++) this.#options.onQueued(decoded.tick - i);
    }
  }

  get seat(): SeatId {
    return this.session.seat;
  }
}
