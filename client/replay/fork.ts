/**
 * Plays on from a logged state, within the page: a whole match with its seats and NPCs, and the
 * page's session as its only client, over a link without delay.
 *
 *     S(T) of the fork = S(T) of the log      what is announced beyond T stands, and then everybody is free
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { rulesOf } from "../../shared/netcode/own_npcs.ts";
import type { LogHeader, LogState } from "../../shared/netcode/match_log/records.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import type { Match } from "../../server/match/match.ts";
import { MatchPresenter } from "../presentation/match_presenter.ts";
import { Telemetry } from "../presentation/telemetry.ts";
import type { View } from "../presentation/view.ts";
import type { CommandSource } from "../session/session.ts";
import { ownToken, PageMatch } from "../solo/page_match.ts";

/** The token for the player's seat. */
const OWN_TOKEN = ownToken(0);

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
  readonly presenter: MatchPresenter<Command, Sim, Frame>;
  /** The tick to go on from. */
  readonly fromTick: Tick;
  readonly #host: PageMatch<Command>;

  constructor(
    game: Game<Command, Sim>,
    view: View<Command, Sim, Frame>,
    options: ForkOptions<Command>,
  ) {
    const { header, state, seat, name, clock, commandSource } = options;
    const { npcs, seed, choices, room } = header;
    const rules = rulesOf(game, header);
    this.fromTick = state.tick;

    // The match, from the recorded state, with this player in its seat
    this.#host = new PageMatch<Command>(rules, {
      npcs,
      seed,
      choices,
      clock,
      from: {
        ...state,
        players: state.players.map((player) => withToken(player, player.seat === seat)),
      },
    });

    // A page that plays over a link to it
    this.presenter = new MatchPresenter({ game: rules, view, bodyStream: undefined }, {
      link: this.#host.open(),
      clock,
      room,
      name,
      commandSource,
      choices,
      resume: OWN_TOKEN,
      telemetry: new Telemetry(clock, () => new ServerMessageDecoder(game.command)),
    });
  }

  get match(): Match<Command> {
    return this.#host.match;
  }

  /** Runs the ticks that are due, and the session. */
  advance(): void {
    this.#host.advance();
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
