/** The worker with planck. */
import { runWorker } from "../run_worker.ts";
import { PlanckScene } from "./planck_scene.ts";

runWorker(PlanckScene);
