/**
 * Draws two things on a canvas above the game: the poses of the newest definitive tick, and the contacts between bodies
 * at the head. It uses the game's camera.
 */
import { PoseList } from "../../shared/netcode/pose_list.ts";
import type { Camera } from "../presentation/view.ts";
import { make } from "../ui/dom.ts";
import type { DebuggedMatch } from "../ui/debug_host.ts";

const PIXEL_RATIO_MAX = 2;
const BODY_COLOUR = "#ffd27a";
const CONTACT_COLOUR = "#ff8f70";
const TURN = 2 * Math.PI;

export class BodyOverlay {
  readonly #canvas = make("canvas", { id: "ghosts" });
  readonly #context = this.#canvas.getContext("2d")!;
  readonly #camera: Camera;
  readonly #poses = new PoseList();

  /** @param camera the game's, so that both canvases show the same place */
  constructor(into: HTMLElement, camera: Camera) {
    this.#camera = camera;
    this.#canvas.setAttribute("aria-hidden", "true");
    into.append(this.#canvas);
  }

  /** @returns the numbers of drawn positions and contacts; the element's data attributes have these names */
  draw(
    match: DebuggedMatch | undefined,
    shown: { authoritativeBodies: boolean; contacts: boolean },
  ): { ghosts: number; contacts: number } {
    const canvas = this.#canvas, context = this.#context;
    const ratio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    canvas.width = canvas.clientWidth * ratio; // clears it, too
    canvas.height = canvas.clientHeight * ratio;
    const simulation = match?.session.simulation;
    if (match === undefined || simulation === undefined) return { ghosts: 0, contacts: 0 };
    context.lineWidth = 1.5 * ratio;
    return {
      ghosts: shown.authoritativeBodies && match.definitivePoses(this.#poses) ? this.#drawBodies() : 0,
      contacts: shown.contacts ? this.#drawContacts(match) : 0,
    };
  }

  close(): void {
    this.#canvas.remove();
  }

  #drawBodies(): number {
    const context = this.#context, camera = this.#camera;
    context.strokeStyle = BODY_COLOUR;
    context.setLineDash([4, 3]);
    for (let i = 0; i < this.#poses.count; i++) {
      const { x, y, seat } = this.#poses.at(i);
      context.beginPath();
      context.arc(camera.xPx(x), camera.yPx(y), camera.scale * (seat >= 0 ? 0.6 : 0.35), 0, TURN);
      context.stroke();
    }
    context.setLineDash([]);
    return this.#poses.count;
  }

  #drawContacts(match: DebuggedMatch): number {
    const context = this.#context, camera = this.#camera, { head } = match.session.poses;
    let contacts = 0;
    context.strokeStyle = context.fillStyle = CONTACT_COLOUR;
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
