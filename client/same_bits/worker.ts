/** The worker with Wyvern's stage. */
import { runWorker } from "./run_worker.ts";
import { StageScene } from "./stage_scene.ts";

runWorker(StageScene);
