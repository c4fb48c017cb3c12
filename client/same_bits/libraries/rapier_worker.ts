/** The worker with Rapier. */
import { runWorker } from "../run_worker.ts";
import { RapierScene } from "./rapier_scene.ts";

runWorker(RapierScene);
