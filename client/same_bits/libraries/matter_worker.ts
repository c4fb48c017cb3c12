/** The worker with matter-js. */
import { runWorker } from "../run_worker.ts";
import { MatterScene } from "./matter_scene.ts";

runWorker(MatterScene);
