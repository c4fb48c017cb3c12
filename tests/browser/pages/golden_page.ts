/** Offers the golden run to a browser's console. */
import { goldenRun } from "../../shared/games/dragons/golden.ts";

Object.assign(globalThis, { golden: goldenRun });
