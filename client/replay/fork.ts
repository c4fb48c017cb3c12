/**
 * Plays on from a logged state, within the page: a whole match with its seats and NPCs, and the
 * page's session as its only client, over a link without delay.
 *
 *     S(T) of the fork = S(T) of the log      what is announced beyond T stands, and then everybody is free
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { LogHeader, LogState } from "../../shared/netcode/match_log/records.ts";
import { LocalLink } from "../../shared/netcode/simulated_network/local_link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { decodeHello } from "../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { Match } from "../../server/match/match.ts";
import { MatchPresenter } from "../presentation/match_presenter.ts";
import { Telemetry } from "../presentation/telemetry.ts";
import type { View } from "../presentation/view.ts";
import type { CommandSource } from "../session/session.ts";

/**
 * The token for the player's seat. It need not be secret, because only this page can reach the
 * match.
 */
const OWN_TOKEN: ResumeToken = "0".repeat(31) + "1";
/** How many ticks a page runs at once after a gap; it drops the others, as a server does. */
const CATCH_UP_TICKS_MAX = 4;

export interface ForkOptions<Command> {
  readonly header: LogHeader;
  readonly state: LogState<Command>;
  /** The seat that the player takes over; if it was empty, they get a free one. */
  readonly seat: SeatId;
  readonly name: string;
  readonly clock: Clock;
  readonly commandSource: CommandSource<Command>;
}

export class Fork<Command, Sim extends Simulation<Command>, Frame> {
  readonly match: Match<Command>;
  readonly presenter: MatchPresenter<Command, Sim, Frame>;
  /** The tick to go on from. */
  readonly fromTick: Tick;
  readonly #clock: Clock;
  readonly #tickMs: number;
  #dueMs: number;

  constructor(
    game: Game<Command, Sim>,
    view: View<Command, Sim, Frame>,
    options: ForkOptions<Command>,
  ) {
    const { header: { npcs, seed, choices, room }, state, seat, name, clock, commandSource } =
      options;
    this.fromTick = state.tick;
    this.#clock = clock;
    this.#tickMs = 1000 / game.tickHz;
    this.#dueMs = clock.now();

    // The match, from the recorded state, with this player in its seat
    let tokens = 1;
    this.match = new Match<Command>(game, {
      npcs,
      seed,
      choices,
      stream: "commands",
      clock,
      dueMs: this.#dueMs,
      keepsSeats: true,
      // Without other players, a name can deceive no one.
      nameForms: (name) => [name.toLowerCase()],
      newToken: () => (++tokens).toString(16).padStart(OWN_TOKEN.length, "0"),
      from: {
        ...state,
        players: state.players.map((player) => withToken(player, player.seat === seat)),
      },
    });

    // A link to it, and a page that plays over it
    const [clientEnd, serverEnd] = LocalLink.pair();
    serverEnd.onMessage((bytes) => this.match.join(serverEnd, decodeHello(bytes)));
    this.presenter = new MatchPresenter({ game, view, bodyStream: undefined }, {
      link: clientEnd,
      clock,
      room,
      name,
      commandSource,
      choices,
      resume: OWN_TOKEN,
      telemetry: new Telemetry(clock, () => new ServerMessageDecoder(game.command)),
    });
  }

  /** Runs the ticks that are due, and the session. */
  advance(): void {
    const nowMs = this.#clock.now();
    this.#dueMs = Math.max(this.#dueMs, nowMs - CATCH_UP_TICKS_MAX * this.#tickMs);
    while (nowMs >= this.#dueMs + this.#tickMs) {
      this.match.run(this.#dueMs += this.#tickMs);
      this.match.record();
      this.match.broadcast();
    }
    this.presenter.advance();
  }

  close(): void {
    this.presenter.session.close();
  }
}

/**
 * Replaces a seat's token. Other seats get one that clients cannot present, so that NPCs play for
 * them.
 */
function withToken<Player extends { readonly tokenHashes: readonly string[] }>(
  player: Player,
  isOwn: boolean,
): Player {
  return { ...player, tokenHashes: [isOwn ? OWN_TOKEN : "none"] };
}
