/**
 * Shows what surrounds a lag report's picture: the list of corrections, and drawn over the picture,
 * where the page predicted each body and where it really was.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { BodyOverlay } from "../../debug/body_overlay.ts";
import type { Naming } from "../../debug/flight_words.ts";
import type { Camera } from "../../presentation/view.ts";
import { findElement } from "../../ui/dom.ts";
import { CorrectionList } from "./correction_list.ts";
import type { LagPlayer } from "./lag_player.ts";

/** What is read here from a lag report, in any game. */
type Shown = Pick<
  LagPlayer<never, never>,
  "report" | "firstTick" | "lastTick" | "corrections" | "status" | "posesAt" | "sightOf"
>;

export class LagView {
  readonly #camera: Camera;
  readonly #list: CorrectionList;
  /** Undefined without a lag report. */
  #bodies: BodyOverlay | undefined;

  /** @param camera the game's @param onSelect called with a correction's tick */
  constructor(camera: Camera, onSelect: (tick: Tick) => void) {
    this.#camera = camera;
    this.#list = new CorrectionList(onSelect);
  }

  open(): void {
    this.close();
    const arena = findElement<HTMLCanvasElement>(document, "#arena");
    this.#bodies = new BodyOverlay(document.body, arena, this.#camera);
  }

  close(): void {
    this.#bodies?.close();
    this.#bodies = undefined;
    this.#list.hide();
  }

  /** Call it after each frame. */
  show(
    { report, firstTick, lastTick, corrections, status, posesAt, sightOf }: Shown,
    { tick, tickHz }: { tick: Tick; tickHz: number },
  ) {
    const naming = namingOf(report);
    const poses = posesAt(tick);
    if (poses !== undefined) this.#bodies?.drawMoment(poses, naming, { isVeiled: false });
    const { isComplete } = status;
    const context = { naming, firstTick, lastTick, tickHz, isComplete, sightOf };
    this.#list.show(corrections, context);
  }
}

function namingOf({ ownSeat, names }: Shown["report"]): Naming {
  return { ownSeat, nameOf: (seat) => names.get(seat) || `seat ${seat}` };
}
