/** The runner in a page; playwright calls it. */
import { run } from "./runner.ts";

Object.assign(globalThis, { run });
