/**
 * Tests that need nats-server. Where it cannot be had, they are left out with a word. In CI it is
 * required.
 */
import { browsersAreRequired } from "../../browser/places.ts";
import { newestServer } from "./server_program.ts";

/** Whether tests that need nats-server are left out here. */
export const IS_WITHOUT_NATS = await newestServer() === undefined && !browsersAreRequired();

export function natsTest(name: string, run: () => Promise<void>): void {
  if (IS_WITHOUT_NATS) console.warn(`left out, for want of nats-server: ${name}`);
  Deno.test({ name, ignore: IS_WITHOUT_NATS, fn: run });
}
