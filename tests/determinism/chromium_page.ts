/** The runner for a page that playwright asks. */
import { run } from "./runner.ts";

Object.assign(globalThis, { run });
