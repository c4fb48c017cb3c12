/**
 * Draws on a canvas above the game, with the game's camera: the poses at the newest definitive
 * tick, and the contacts between bodies at the head. While the overlay is frozen it draws that
 * moment's bodies instead.
 */
import { PoseList } from "../../shared/netcode/pose_list.ts";
import type { Camera } from "../presentation/view.ts";
import { make } from "../ui/dom.ts";
import type { DebuggedMatch } from "../ui/debug_host.ts";
import type { Naming } from "./flight_words.ts";
import type { PlanckView } from "./planck/planck_view.ts";
import { POSE_NUMBERS, type PosesAt } from "./replay/pose_history.ts";

const BODY_COLOUR = "#ffd27a";
const CONTACT_COLOUR = "#ff8f70";
const PREDICTED_COLOUR = "#6cc5ff";
/** The veil over the match, which goes on behind a frozen moment. */
const VEIL_COLOUR = "rgb(10 12 26 / 78%)";
/** A smaller error does not count as a correction, metres. */
const VISIBLE_METRES = 0.05;
const PLAYER_METRES = 0.6;
const THING_METRES = 0.35;
const TURN = 2 * Math.PI;

/** One body's entity, seat, x and y. */
type Place = readonly [entity: number, seat: number, x: number, y: number];

export class BodyOverlay {
  readonly #canvas = make("canvas", { id: "ghosts" });
  readonly #context = this.#canvas.getContext("2d")!;
  readonly #arena: HTMLCanvasElement;
  readonly #camera: Camera;
  readonly #poses = new PoseList();

  /**
   * @param arena the game's canvas, from which this one takes its size in pixels, which is smaller
   *   on slow devices
   * @param camera the game's, so that both canvases show the same place
   */
  constructor(into: Node, arena: HTMLCanvasElement, camera: Camera) {
    this.#arena = arena;
    this.#camera = camera;
    this.#canvas.setAttribute("aria-hidden", "true");
    into.appendChild(this.#canvas);
  }

  /**
   * @param planck undefined without `--check-planck`
   * @returns how many positions, contacts and bodies of planck's were drawn, by the names of the
   *   element's data attributes
   */
  draw(
    match: DebuggedMatch | undefined,
    shown: { authoritativeBodies: boolean; contacts: boolean },
    planck: PlanckView | undefined,
  ): { ghosts: number; contacts: number; planck: number } {
    const context = this.#context;
    const ratio = this.#clear();
    const simulation = match?.session.simulation;
    if (match === undefined || simulation === undefined) {
      return { ghosts: 0, contacts: 0, planck: 0 };
    }
    context.lineWidth = 1.5 * ratio;
    return {
      ghosts: shown.authoritativeBodies && match.definitivePoses(this.#poses)
        ? this.#drawBodies()
        : 0,
      contacts: shown.contacts ? this.#drawContacts(match) : 0,
      planck: planck?.draw(context, this.#camera, ratio) ?? 0,
    };
  }

  /**
   * Draws one tick's bodies as the page first predicted them, where they really were, and the way
   * between.
   * @param options.isVeiled whether to veil the game's picture, because it shows another moment
   * @returns how many bodies were drawn
   */
  drawMoment({ predicted, definitive }: PosesAt, naming: Naming, { isVeiled = true } = {}): number {
    const context = this.#context;
    const camera = this.#camera;
    const ratio = this.#clear();

    // The veil
    context.fillStyle = VEIL_COLOUR;
    if (isVeiled) context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);

    context.lineWidth = 1.5 * ratio;
    context.font = `${12 * ratio}px sans-serif`;
    context.textAlign = "center";

    // Where each body really was, whose it was, and how far the prediction was off
    for (let at = 0; at < definitive.length; at += POSE_NUMBERS) {
      const [entity, seat, x, y] = definitive.subarray(at, at + POSE_NUMBERS) as unknown as Place;

      context.setLineDash([4, 3]);
      this.#circle(x, y, { seat, colour: BODY_COLOUR });
      context.setLineDash([]);
      if (seat < 0) continue;

      context.fillStyle = BODY_COLOUR;
      if (isVeiled) {
        context.fillText(naming.nameOf(seat), camera.xPx(x), camera.yPx(y + 2 * PLAYER_METRES));
      }
      this.#drawError([entity, seat, x, y], predicted);
    }

    return definitive.length / POSE_NUMBERS;
  }

  #drawError([entity, seat, x, y]: Place, predicted: PosesAt["predicted"]): void {
    const context = this.#context;
    const camera = this.#camera;
    for (let at = 0; at < predicted.length; at += POSE_NUMBERS) {
      if (predicted[at] !== entity) continue;
      const fromX = predicted[at + 2]!, fromY = predicted[at + 3]!;
      this.#circle(fromX, fromY, { seat, colour: PREDICTED_COLOUR });
      if (Math.hypot(fromX - x, fromY - y) < VISIBLE_METRES) return;
      context.strokeStyle = CONTACT_COLOUR;
      context.beginPath();
      context.moveTo(camera.xPx(fromX), camera.yPx(fromY));
      context.lineTo(camera.xPx(x), camera.yPx(y));
      context.stroke();
    }
  }

  #circle(x: number, y: number, { seat, colour }: { seat: number; colour: string }): void {
    const context = this.#context;
    const camera = this.#camera;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(
      camera.xPx(x),
      camera.yPx(y),
      camera.scale * (seat >= 0 ? PLAYER_METRES : THING_METRES),
      0,
      TURN,
    );
    context.stroke();
  }

  /** @returns canvas pixels per CSS pixel */
  #clear(): number {
    const canvas = this.#canvas;
    const { width, height, clientWidth } = this.#arena;
    // Set the size only if it differs, because a new size costs a new buffer.
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    } else this.#context.clearRect(0, 0, width, height);
    return width / Math.max(1, clientWidth);
  }

  close(): void {
    this.#canvas.remove();
  }

  #drawBodies(): number {
    const context = this.#context;
    context.setLineDash([4, 3]);
    for (let i = 0; i < this.#poses.count; i++) {
      const { x, y, seat } = this.#poses.at(i);
      this.#circle(x, y, { seat, colour: BODY_COLOUR });
    }
    context.setLineDash([]);
    return this.#poses.count;
  }

  #drawContacts(match: DebuggedMatch): number {
    const context = this.#context;
    const camera = this.#camera;
    const { head } = match.session.poses;
    let contacts = 0;

    context.strokeStyle = context.fillStyle = CONTACT_COLOUR;

    // A dot on each thing that touches, and a line to the other one
    for (let i = 0; i < head.count; i++) {
      const pose = head.at(i);
      for (const id of match.touchingIds(pose.entity)) {
        contacts++;
        const other = head.find(id);

        context.beginPath();
        context.arc(camera.xPx(pose.x), camera.yPx(pose.y), camera.scale * 0.1, 0, TURN);
        context.fill();

        // The ground has no pose, so this contact is only a dot.
        if (other === undefined) continue;
        context.beginPath();
        context.moveTo(camera.xPx(pose.x), camera.yPx(pose.y));
        context.lineTo(camera.xPx(other.x), camera.yPx(other.y));
        context.stroke();
      }
    }

    return contacts;
  }
}
