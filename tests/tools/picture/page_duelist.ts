/**
 * The script of `chore picture` inside each page: a person who hunts the other page's player alone,
 * and who says when one of the two has killed the other.
 */
import { playAtPage } from "../people/page_person.ts";
import { Rider } from "../../../client/lab/people/dragons/rider.ts";
import { FITTED } from "../../../client/lab/people/dragons/styles.ts";

declare global {
  /**
   * Plays until the page closes.
   * @param style the name of the person's style
   */
  var playDuel: ((style: string, seed: number) => void) | undefined;
  /** Called for each kill of one player by another, if the recording program wants to know. */
  var onKill: (() => void) | undefined;
}

const KILLS = ["joust", "burn"];

globalThis.playDuel = (style, seed) =>
  playAtPage(new Rider(FITTED.find(({ name }) => name === style)!, seed), {
    minds: ({ npc }) => !npc,
    onFrame: ({ things, events }) => {
      const isPlayer = (seat: number) =>
        things.some((each) => each.name === "dragon" && each.seat === seat && !each.npc);
      const kills = events.filter(({ kind, seat, otherSeat }) =>
        KILLS.includes(kind) && seat !== otherSeat && isPlayer(seat) && isPlayer(otherSeat)
      );
      for (const _kill of kills) globalThis.onKill?.();
    },
  });
