/**
 * A page in the lab with everything but the screen: the presenter with its telemetry and recording,
 * a thread that can be busy, and the overlay's replay of the recording.
 */
import {
  type FlightCorrection,
  FlightReplay,
} from "../../../../client/debug/replay/flight_replay.ts";
import type { FalseEvent } from "../../../../client/debug/replay/false_events.ts";
import {
  MatchPresenter,
  type PlayableGame,
} from "../../../../client/presentation/match_presenter.ts";
import { Telemetry } from "../../../../client/presentation/telemetry.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import type { Simulation } from "../../../../shared/netcode/game.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import type { Lab, Player } from "../lab.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import { PageLink, PageThread } from "./disturbed_page.ts";

export interface PresentedPageOptions<Command, Sim extends Simulation<Command>, Frame> {
  readonly playable: PlayableGame<Command, Sim, Frame>;
  readonly name: string;
  readonly controls: CommandSource<Command>;
  readonly network: NetworkModel;
  readonly ordered: boolean;
}

export class PresentedPage<Command, Sim extends Simulation<Command>, Frame> {
  readonly thread: PageThread;
  readonly telemetry: Telemetry;
  readonly match: MatchPresenter<Command, Sim, Frame>;
  readonly serverEnd: LocalLink;
  readonly link: PageLink;
  /** Everything that the replay found. */
  readonly corrections: FlightCorrection[] = [];
  readonly falseEvents: FalseEvent[] = [];
  divergences = 0;
  readonly #playable: PlayableGame<Command, Sim, Frame>;
  readonly #lab: Lab<Command, Sim>;
  #replayed = 0;
  replay: FlightReplay<Command> | undefined;

  /** Joins now. */
  constructor(
    lab: Lab<Command, Sim>,
    { playable, name, controls, network, ordered }: PresentedPageOptions<Command, Sim, Frame>,
  ) {
    const thread = this.thread = new PageThread(lab.clock);
    const { clock } = thread;
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
    const link = this.link = new PageLink(clientEnd, {
      thread,
      model: network,
      seed: lab.random.bits(),
    });
    const game = thread.chargeSteps(playable.game);
    this.#lab = lab;
    this.#playable = playable;
    this.serverEnd = serverEnd;
    lab.rooms.admit(serverEnd);
    this.telemetry = new Telemetry(
      clock,
      () => new ServerMessageDecoder(game.command, playable.bodyStream?.reader),
    );
    this.match = new MatchPresenter({
      ...playable,
      game,
      datagramSupport: (use) => use(SessionDatagrams),
    }, {
      link,
      clock,
      room: "LABS",
      name,
      spectate: false,
      resume: undefined,
      commandSource: controls,
      telemetry: this.telemetry,
    });
    lab.players.push({ session: this.#driver, link, serverEnd, clockRate: 1 });
  }

  get session(): MatchPresenter<Command, Sim, Frame>["session"] {
    return this.match.session;
  }

  /** Draws a frame for this moment if the thread is free. */
  draw(): void {
    if (!this.thread.isBusy) this.match.composeFrame();
  }

  /** Replays everything that was recorded since the last call. */
  replayRecording(): void {
    const { flight } = this.telemetry;
    const { welcome } = flight;
    if (welcome === undefined) return;
    this.replay ??= new FlightReplay(this.#playable.game, {
      ...welcome,
      ownSeat: welcome.seat ?? -1,
    });
    const news = this.replay.add(
      flight.entries.slice(Math.max(0, this.#replayed - flight.removed)),
    );
    this.#replayed = flight.removed + flight.entries.length; // entries that were removed unseen are lost
    this.corrections.push(...news.corrections);
    this.falseEvents.push(...news.falseEvents);
    this.divergences += news.divergences;
  }

  /** The lab advances the session when the page's thread is free. */
  get #driver(): Player<Command, Sim>["session"] {
    const { thread, match } = this;
    const lab = this.#lab;
    const driver = {
      get nextDueMs() {
        return thread.runsAtMs(match.session.nextDueMs);
      },
      advance() {
        if (thread.runsAtMs(lab.nowMs) <= lab.nowMs) thread.run(() => match.advance());
      },
    };
    return driver as Player<Command, Sim>["session"];
  }
}
