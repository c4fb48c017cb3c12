/**
 * What the picture leaves out, on a canvas above it: where everything definitively was when the server last told, and which bodies
 * touch each other now. Same camera, same arena.
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

  /** @param camera the picture's */
  constructor(into: HTMLElement, camera: Camera) {
    this.#camera = camera;
    this.#canvas.setAttribute("aria-hidden", "true");
    into.append(this.#canvas);
  }

  /** @returns how many of each were drawn */
  draw(
    match: DebuggedMatch | undefined,
    shown: { authoritativeBodies: boolean; contacts: boolean },
  ): { ghosts: number; contacts: number } {
    const canvas = this.#canvas, context = this.#context;
    const ratio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    canvas.width = canvas.clientWidth * ratio; // which also clears it
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
        // The ground has no pose: a dot alone.
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
