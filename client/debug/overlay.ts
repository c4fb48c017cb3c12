/**
 * The debug overlay of our own page. It is a separate script, which the page fetches when a player
 * first opens it.
 */
import type { DebugHost, DebugOverlay, OpenDebugOverlay } from "../ui/debug_host.ts";
import { findElement } from "../ui/dom.ts";
import type { ReplayPort } from "./flight_log.ts";
import { saveLag } from "./lag/save_lag.ts";
import { OverlayView } from "./overlay_view.ts";
import { PlanckView } from "./planck/planck_view.ts";

export const openOverlay: OpenDebugOverlay = (host: DebugHost): DebugOverlay =>
  new OverlayView(host, {
    into: document.body,
    picture: { canvas: findElement(document, "#arena"), camera: host.camera },
    replay: openReplayWorker(),
    planck: openPlanck(),
  });

/** Starts the worker. The build writes its name into a data attribute in index.html. */
function openReplayWorker(): ReplayPort | undefined {
  const { overlayWorker } = document.body.dataset;
  return overlayWorker === undefined
    ? undefined
    : new Worker(new URL(overlayWorker, import.meta.url), { type: "module" });
}

/** A page that was built with `--check-planck` names the worker in the same way. */
function openPlanck(): PlanckView | undefined {
  const { planckWorker } = document.body.dataset;
  if (planckWorker === undefined) return undefined;
  const worker = new Worker(new URL(planckWorker, import.meta.url), { type: "module" });
  return new PlanckView(worker, (sentence) => console.info(`Wyvern: ${sentence}`));
}

export { saveLag };
