/**
 * The debug overlay in an element of another author's page. It is a part of its own, which
 * `mountOverlay` fetches, because most visits never need it.
 */
import { OverlayView } from "../debug/overlay_view.ts";
import overlayStyle from "./css/mounted_overlay.css" with { type: "text" };
import { PageReplay } from "./page_replay.ts";
import type { MatchInside } from "./played_match.ts";
import { addShadow } from "./shadow.ts";

export interface MountOverlayOptions {
  /**
   * A worker whose script calls `runOverlayWorker`. It finds corrections and their causes by playing
   * your game again. Without it the page does that between its frames, which is enough for a look,
   * but costs time that a slow device may need to draw. The overlay ends it.
   */
  readonly worker?: Worker | undefined;
  /** Called when the overlay was removed, also by its own button. */
  readonly onClose?: (() => void) | undefined;
}

/** A debug overlay in a page. */
export interface MountedOverlay {
  /** Removes the overlay. The match goes on. */
  unmount(): void;
}

/** As the public `mountOverlay`, for the inside of a match. */
export function openMountedOverlay(
  element: Element,
  { game, clock, telemetry, conditions, presenter }: MatchInside,
  { worker, onClose }: MountOverlayOptions,
): MountedOverlay {
  const { host, root } = addShadow(element, overlayStyle);

  let isMounted = true;
  const unmount = () => {
    if (!isMounted) return;
    isMounted = false;
    cancelAnimationFrame(frame);
    overlay.close();
    host.remove();
    onClose?.();
  };

  const overlay = new OverlayView({
    game,
    clock,
    telemetry,
    conditions,
    marks: [],
    qualityRung: () => undefined,
    match: presenter,
    close: unmount,
  }, {
    into: root,
    picture: undefined,
    replay: worker ?? new PageReplay(game),
    planck: undefined,
  });

  let frame = requestAnimationFrame(function draw() {
    frame = requestAnimationFrame(draw);
    overlay.draw();
  });

  return { unmount };
}
