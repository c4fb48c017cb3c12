/**
 * The picture of people whom a page mispredicts all the time. The same messages are replayed to the
 * page's client, and to one that believes its prediction: it shows predicted deaths, and takes
 * every command for known.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { PLAYER_SEATS, type SeatId } from "../../../../shared/netcode/game.ts";
import { sceneOf } from "../../../support/dragon_scene.ts";
import { FITTED } from "../../../../client/lab/people/dragons/styles.ts";
import { feltFiguresOf, type PeopleMatchOptions, playPeople } from "./people_row.ts";
import { type ClientPolicy, pageClient } from "./replay.ts";

const MATCH: PeopleMatchOptions = {
  profile: "far",
  link: "ordered",
  styles: FITTED,
  players: 6,
  npcs: 0,
  seconds: 15,
  correlated: false,
  seed: 74,
};

const credulousView: typeof dragonView = {
  ...dragonView,
  composer(simulation) {
    const builder = dragonView.composer(simulation);
    return {
      compose: (parts) =>
        builder.compose({ ...parts, definitive: parts.simulation, guessedTicks: () => 0 }),
    };
  },
};

/** Notices each time that a player's score falls, which never happens in a match. */
class FallingScores {
  readonly #onFall: () => void;
  readonly #last = new Map<SeatId, number>();

  constructor(onFall: () => void) {
    this.#onFall = onFall;
  }

  watch(scores: readonly { readonly seat: SeatId; readonly score: number }[]): void {
    for (const { seat, score } of scores) {
      if (seat < PLAYER_SEATS && score < (this.#last.get(seat) ?? 0)) this.#onFall();
      this.#last.set(seat, score);
    }
  }
}

/** How long after an own command came late a score may fall (SPEC 8.23), ticks. */
const LATE_TICKS = 20;

/** The outcomes that all people's pages have shown, and those that they predicted. */
class Watch {
  shownEffects = 0;
  /** Effects of own flaps, and those that began when the wings had struck long before. */
  ownFlaps = 0;
  lateFlaps = 0;
  fallsShown = 0;
  fallsPredicted = 0;

  /** The page's client, watched. */
  readonly client: ClientPolicy = (options) => {
    const client = pageClient(options);
    const composeFrame = client.composeFrame.bind(client);
    const { session } = client;
    let late = 0;
    let lateTick = -Infinity;
    const shown = new FallingScores(() => {
      if (session.definitiveTick - lateTick > LATE_TICKS) this.fallsShown++;
    });
    const predicted = new FallingScores(() => this.fallsPredicted++);
    client.composeFrame = () => {
      const scene = composeFrame();
      if (scene === undefined) return undefined;
      if (session.stats.commandsLate > late) lateTick = session.definitiveTick;
      late = session.stats.commandsLate;
      shown.watch(client.hud("").scores);
      predicted.watch(
        client.session.simulation!.world.all("dragon").map((
          { seat, fields: { score } },
        ) => ({ seat, score })),
      );
      const { events: { begun }, ownSeat } = client.frameParts!;
      const own = sceneOf(scene).dragons.find((dragon) => dragon.own);
      this.shownEffects += begun.length;
      if (begun.some(({ kind, seat }) => kind === "flap" && seat === ownSeat)) {
        this.ownFlaps++;
        if (own !== undefined && own.flapAge > 2) this.lateFlaps++;
      }
      return scene;
    };
    return client;
  };
}

Deno.test("Lab: a page at 200 ms takes back no death and no point and hardly an effect, and solid marks are right [seed 74]", () => {
  const people = playPeople(MATCH);
  const { seconds } = MATCH;
  const watch = new Watch();
  const page = feltFiguresOf(people, { seconds, client: watch.client });
  const credulous = feltFiguresOf(people, {
    seconds,
    client: (options) => pageClient(options, credulousView),
  });
  assertGreater(page.deaths, 5);
  assertGreater(credulous.falseDeathsPerMinute, 3);
  assertEquals([page.falseDeathsPerMinute, page.ownFalseDeaths], [0, 0]);
  assertGreater(watch.fallsPredicted, 5);
  assertEquals(watch.fallsShown, 0);
  assertGreater(page.markFrames, 50);
  assertGreater(page.solidMarkShare, 0.5);

  // A minute contains too few fights for the share itself, which the bench measures.
  assertGreater(credulous.markWrongShare, 0.06);
  assertLess(page.markWrongShare, 0.5 * credulous.markWrongShare);
  assertGreater(watch.shownEffects, 500);
  assertLess(page.effectsTakenBackPerMinute, 12);
  assertGreater(watch.ownFlaps, 50);
  assertLess(watch.lateFlaps, 0.1 * watch.ownFlaps);
  assertEquals([page.belowGroundFrames, page.stepsOver1M], [0, 0]);
});
