/**
 * Runs the lab's page. Only this file reads the browser's clock and frames.
 *
 * `wyvernLab` in the console is the page: its run, and the moment that it shows.
 */
import { LabPage } from "./lab_page.ts";

const page = new LabPage(location.hash, { now: () => performance.now() });

function draw(): void {
  requestAnimationFrame(draw);
  page.frame();
}

requestAnimationFrame(draw);
Object.defineProperty(globalThis, "wyvernLab", { value: page });
