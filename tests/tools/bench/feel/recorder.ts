/**
 * Records a match as its page shows it. It reads the presenter and each scene, changes nothing, and
 * needs no DOM, so it records alike on the page in Chromium and in the lab.
 */
import { LEDGES } from "../../../../shared/games/dragons/arenas/ledges.ts";
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import {
  type LanceMark,
  lanceMarksOf,
} from "../../../../client/games/dragons/presenters/dragon/marks.ts";
import type { DragonSprite } from "../../../../client/games/dragons/presenters/dragon/sprite.ts";
import { sceneOf } from "../../../support/dragon_scene.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import { ErrorSmoother } from "../../../../client/presentation/error_smoother.ts";
import type { MatchPresenter } from "../../../../client/presentation/match_presenter.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { HOLLOW_MARK, NO_MARK, Recording, SOLID_MARK, solidsOf } from "./recording.ts";

/** The part of a presenter that is recorded. */
export type FeltMatch = Pick<
  MatchPresenter<DragonCommand, DragonSimulation, KitFrame>,
  "session" | "frameParts"
>;

/**
 * Until this many ticks after a flap the wings still beat, so a press before that shows nothing
 * new.
 */
const WINGS_RESTED_TICKS = 6;
/** A key that has not shown by then never will, because a blow cut its flap short. */
const KEY_FRAMES_MAX = 60;

export class FeelRecorder {
  readonly recording: Recording;
  readonly #match: FeltMatch;
  /** Places a pose where the page simulates it, because it is given no corrections. */
  readonly #simulated = new ErrorSmoother();
  readonly #place = { x: 0, y: 0, angle: 0 };
  readonly #state = new Snapshot();
  #definitive: DragonSimulation | undefined;
  #newestDefinitive: Tick;
  readonly #ownCorrectionsBefore: number;
  /**
   * How many frames have passed since a press that is not shown yet, -1 without such a press; and
   * the age of the last flap before it.
   */
  #framesSincePress = -1;
  #flapAgeBefore = 0;
  #own: DragonSprite | undefined;

  /** Begins now. @param match plays and has a state */
  constructor(match: FeltMatch) {
    this.#match = match;
    const { session } = match;
    this.recording = new Recording(solidsOf(LEDGES));
    this.#newestDefinitive = session.definitiveTick;
    this.#ownCorrectionsBefore = session.stats.ownCorrectionsOver5cm;
  }

  /** Call it when the flap key goes down. */
  onFlapKey(): void {
    const own = this.#own;
    if (this.#framesSincePress >= 0 || own === undefined) return;
    if (own.dead || own.stunnedTicks > 0 || own.flapAge < WINGS_RESTED_TICKS) return;
    this.#framesSincePress = 0;
    this.#flapAgeBefore = own.flapAge;
  }

  /** Call it after each frame has been drawn, before the match advances again. */
  onFrame(drawn: KitFrame): void {
    const { session, frameParts } = this.#match;
    const { recording } = this;
    if (frameParts === undefined || session.phase !== "playing") return;
    const scene = sceneOf(drawn);
    const marks = new Map(lanceMarksOf(scene.dragons).map((mark) => [mark.rival.seat, mark]));
    const frame = recording.frames.length;
    const { head: tick, stats } = session;
    const { atMs, fraction, events: { retracted } } = frameParts;
    recording.frames.append({ atMs, tick, fraction, effectsTakenBack: retracted.length });
    for (const sprite of scene.dragons) {
      this.#recordDragon(sprite, { frame, mark: marks.get(sprite.seat) });
    }
    recording.ownCorrections = stats.ownCorrectionsOver5cm - this.#ownCorrectionsBefore;
    this.#own = scene.dragons.find(({ own }) => own);
    this.#watchKey();
    this.#recordDefinitive();
  }

  #recordDragon(
    sprite: DragonSprite,
    { frame, mark }: { frame: number; mark: LanceMark | undefined },
  ): void {
    const { poses, fraction } = this.#match.frameParts!;
    const { id, seat, x, y, vx, vy } = sprite;
    const ahead = poses.head.find(id);
    const head = poses.previous.find(id);
    if (ahead === undefined || head === undefined) return;
    this.#simulated.place(poses, ahead, { fraction, out: this.#place });
    this.recording.drawn.append({
      frame,
      seat,
      own: Number(sprite.own),
      x,
      y,
      speed: Math.hypot(vx, vy),
      simulatedX: this.#place.x,
      simulatedY: this.#place.y,
      headX: head.x,
      headY: head.y,
      teleports: head.teleports,
      dead: Number(sprite.dead),
      opacity: sprite.fade?.opacity ?? 1,
      winner: mark?.winner ?? 0,
      mark: mark === undefined ? NO_MARK : mark.isSolid ? SOLID_MARK : HOLLOW_MARK,
    });
  }

  /** A flap shows when the wings begin another beat. */
  #watchKey(): void {
    if (this.#framesSincePress < 0) return;
    this.#framesSincePress++;
    const isShown = this.#own !== undefined && this.#own.flapAge < this.#flapAgeBefore;
    if (isShown) this.recording.keys.append({ frames: this.#framesSincePress });
    if (isShown || this.#framesSincePress >= KEY_FRAMES_MAX) this.#framesSincePress = -1;
  }

  /** Records the states of ticks whose hash agreed with the server's, and leaves out the others. */
  #recordDefinitive(): void {
    const { session } = this.#match;
    const newest = Math.min(session.definitiveTick, session.head);
    for (let tick = this.#newestDefinitive + 1; tick <= newest; tick++) {
      if (session.provenHash(tick) === undefined || !session.copyState(tick, this.#state)) continue;
      this.#definitive ??= session.newSimulation();
      this.#definitive.load(this.#state);
      for (
        const { x, y, seat, entity: { teleports }, fields: { dead } } of this.#definitive.world.all(
          "dragon",
        )
      ) {
        this.recording.definitive.append({ tick, seat, x, y, teleports, dead: Number(dead > 0) });
      }
    }
    this.#newestDefinitive = Math.max(this.#newestDefinitive, newest);
  }
}
