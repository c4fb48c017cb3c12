/** The runner in a page; playwright calls it. */
import { answer } from "./runner.ts";

Object.assign(globalThis, { answer });
