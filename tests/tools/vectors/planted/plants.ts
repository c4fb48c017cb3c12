/**
 * Every plant: mistakes in a copy of the sources, one at a time. The vectors must notice each of
 * them.
 */
import { BODY_PLANTS } from "./body_plants.ts";
import { CLOCK_PLANTS } from "./clock_plants.ts";
import { CODER_PLANTS } from "./coder_plants.ts";
import { MESSAGE_PLANTS } from "./message_plants.ts";
import type { Plant } from "./plants_of.ts";
import { PROBABILITY_PLANTS } from "./probability_plants.ts";

export const PLANTS: readonly Plant[] = [
  ...CODER_PLANTS,
  ...PROBABILITY_PLANTS,
  ...MESSAGE_PLANTS,
  ...BODY_PLANTS,
  ...CLOCK_PLANTS,
];
