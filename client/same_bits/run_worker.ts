/** The body of every worker of the page: it measures one physics engine, tells it and ends. */
import type { FullScene } from "./full_scene.ts";
import { measure } from "./measure.ts";
import type { WorkerMessage } from "./messages.ts";

/** @param Scene the scene on a physics engine */
export function runWorker(Scene: new () => FullScene): void {
  const tell = (message: WorkerMessage) => self.postMessage(message);
  const measurement = measure(() => new Scene(), {
    now: () => performance.now(),
    onProgress: (share) => tell({ kind: "progress", share }),
  });
  tell({ kind: "done", measurement });
}
