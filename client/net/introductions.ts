/** Asks a server whether it introduces pages to each other. */
import { INTRODUCTIONS_API, type IntroductionsOffer } from "../../shared/introductions.ts";

/** How long the answer may take, ms. */
const OFFER_MS_MAX = 4000;

/**
 * Asks a server how pages connect.
 * @returns undefined for a server that introduces no pages, or that does not answer
 */
export async function introductionsOf(origin: string): Promise<IntroductionsOffer | undefined> {
  try {
    const answer = await fetch(origin + INTRODUCTIONS_API, {
      signal: AbortSignal.timeout(OFFER_MS_MAX),
    });
    if (!answer.ok) return undefined;
    const offer = await answer.json() as Partial<IntroductionsOffer>;
    const { iceServers, relayOnly = false } = offer;
    return Array.isArray(iceServers) ? { iceServers, relayOnly } : undefined;
  } catch {
    return undefined;
  }
}
