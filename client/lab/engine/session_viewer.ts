/**
 * A client that simulates exactly: the session, the extrapolator and the error smoother of a page.
 * It hears what its player's connection hears and gives the same commands, so it plays the same
 * match. What it sends goes nowhere, because the player's own session has sent it.
 */
import type { Clock } from "../../../shared/netcode/link.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";
import { ErrorSmoother } from "../../presentation/error_smoother.ts";
import { PoseInterpolator } from "../../presentation/pose_interpolator.ts";
import { bodyStreamSupport } from "../../session/body_stream_client.ts";
import { SessionDatagrams } from "../../session/datagrams/session_datagrams.ts";
import { Extrapolator } from "../../session/extrapolator.ts";
import { type CommandSource, Session } from "../../session/session.ts";
import type { CopiedLink } from "./copied_link.ts";
import { drawInto } from "./drawn_poses.ts";
import type { SessionTechnique } from "./techniques.ts";
import type { ViewedFrame, Viewer, ViewerStats } from "./viewer.ts";

export interface SessionViewerOptions {
  readonly game: LooseGame;
  readonly link: CopiedLink;
  readonly clock: Clock;
  readonly commandSource: CommandSource<LooseCommand>;
  readonly technique: SessionTechnique;
  /** Called after a rollback with the first tick that was stepped again. */
  readonly onRollback: (fromTick: Tick, head: Tick) => void;
  readonly onDesync: (tick: Tick, session: Session<LooseCommand, LooseSimulation>) => void;
}

export class SessionViewer implements Viewer {
  readonly #session: Session<LooseCommand, LooseSimulation>;
  readonly #options: SessionViewerOptions;
  readonly #smoother: ErrorSmoother;
  readonly #interpolator: PoseInterpolator;
  readonly #drawn = new PoseList();
  #extrapolator: Extrapolator<LooseCommand, LooseSimulation> | undefined;
  /** Steps so far. While the number stays, so does the head's state. */
  #steps = 0;
  #rollbacks = 0;
  #drawnMs: number;

  constructor(options: SessionViewerOptions) {
    const { game, link, clock, commandSource, technique, onDesync } = options;
    const { newGuesser: _guesses, ...assuming } = game;
    const played: LooseGame = technique.guesses ? game : assuming;
    this.#options = options;
    this.#smoother = new ErrorSmoother(game.tickHz);
    this.#interpolator = new PoseInterpolator(this.#smoother);
    this.#drawnMs = clock.now();
    this.#session = new Session({
      game: played,
      link,
      clock,
      commandSource,
      room: "LABS",
      name: "",
      bodyStream: bodyStreamSupport(played),
      datagramSupport: (use) => use(SessionDatagrams),
      inputDelay: () => technique.inputDelay,
      onEvents: () => void this.#steps++,
    });
    this.#session.onDesync = (tick) => onDesync(tick, this.#session);
  }

  get seat(): SeatId {
    return this.#session.seat;
  }

  get stats(): ViewerStats {
    const { rollbacks, resimulatedTicks } = this.#session.stats;
    const { bytes, messages } = this.#options.link;
    return { bytesDown: bytes, messagesDown: messages, rollbacks, resimulatedTicks };
  }

  get nextDueMs(): number {
    return this.#session.nextDueMs;
  }

  advance(): void {
    const { stats } = this.#session;
    const before = stats.resimulatedTicks;
    this.#session.advance();
    if (stats.rollbacks === this.#rollbacks) return;
    this.#rollbacks = stats.rollbacks;
    const { head } = this.#session;
    this.#options.onRollback(head + 1 - (stats.resimulatedTicks - before), head);
  }

  frame(): ViewedFrame | undefined {
    const session = this.#session;
    const nowMs = this.#options.clock.now();
    this.#smoother.decay(nowMs - this.#drawnMs);
    this.#drawnMs = nowMs;
    if (session.simulation === undefined || session.phase !== "playing") return undefined;

    // One tick from the head on, as a page draws it
    const fraction = session.fraction();
    this.#extrapolator ??= new Extrapolator(
      session.newSimulation(),
      this.#options.game.command.same,
    );
    this.#extrapolator.update(session, this.#steps + session.stats.statesAdopted);
    const { poses, head, seat } = session;
    const ahead = this.#extrapolator.poses;
    const segment = this.#interpolator.update({ tick: head, seat, ...poses, ahead }, fraction);
    drawInto(this.#drawn, segment, { fraction, smoother: this.#smoother });
    const moment = head + fraction;
    return {
      drawn: this.#drawn,
      moment,
      ownMoment: moment,
      head,
      definitive: session.definitiveTick,
    };
  }

  verdictOf(tick: Tick): "proven" | "differs" | undefined {
    if (this.#session.provenHash(tick) !== undefined) return "proven";
    return this.#session.isInSync ? undefined : "differs";
  }
}
