/**
 * Attacks on datagram paths beside a socket: tokens that were never given, and one that is shown
 * again.
 */
import { assertEquals } from "@std/assert";
import { type Attack, countsOf, many } from "../attack.ts";
import type { Stranger } from "../../../support/sockets/stranger.ts";
import type { Target } from "../target.ts";
import { DATAGRAMS } from "./handshakes.ts";

/** Plays by a socket until the server offers a path. @returns the player, and the token */
async function offered(
  target: Target,
  from: string,
): Promise<{ stranger: Stranger; token: string }> {
  const stranger = await target.join(from, { room: "PATH" });
  await stranger.playUntil(() => stranger.offer !== undefined);
  return { stranger, token: stranger.offer!.token };
}

/** The status of a session that shows this token. */
async function statusOf(target: Target, token: string, from: string): Promise<number> {
  const session = await target.session(await target.datagramAddress(`?path=${token}`), { from });
  session.close();
  return session.status;
}

const pathTokens: Attack = {
  name: "path_tokens",
  threat: "31",
  server: DATAGRAMS,
  async honest(target) {
    const from = target.newAddress();
    const { stranger, token } = await offered(target, from);
    assertEquals(await statusOf(target, token, from), 200);
    await stranger.leave();
    return "a player gets an offer, and its token opens a path";
  },
  async commit(target) {
    const from = target.newAddress();
    const { stranger, token } = await offered(target, from);
    const thief = target.newAddress();
    const wrong = [
      "",
      "0",
      "0".repeat(32),
      "__proto__",
      token.slice(1),
      token.toUpperCase() + "0",
      token.repeat(40),
    ];
    const guessed: number[] = [];
    for (const each of wrong) guessed.push(await statusOf(target, each, thief));
    assertEquals(countsOf(guessed), `${wrong.length} × 403`);
    const shown = await many(12, () => statusOf(target, token, from));
    assertEquals(countsOf(shown), "11 × 403, 1 × 200");

    // The player's link is the socket, whatever becomes of the path.
    await stranger.play(20);
    assertEquals(stranger.closeInfo, undefined);
    await stranger.leave();
    return `guessed: ${countsOf(guessed)}; one token 12 times: ${
      countsOf(shown)
    }; its player plays on`;
  },
};

export const PATH_ATTACKS: readonly Attack[] = [pathTokens];
