/**
 * What the guesser of a kit game is worth. People play a match in the lab. Then two clients replay
 * it for each of them, over the same arrivals and with the same commands: the page's, and one that
 * assumes what the server would assume.
 *
 *     drawn error = | drawn place − definitive place at the same moment |
 *     head error  = | predicted place − definitive place | at the whole tick, before the picture eases it
 */
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import {
  MatchPresenter,
  type PlayableGame,
} from "../../../../client/presentation/match_presenter.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import type { View } from "../../../../client/presentation/view.ts";
import type { BotPlayer } from "../../../../client/bots/npc_bot.ts";
import {
  type Game,
  PLAYER_SEATS,
  type SeatId,
  type Simulation,
  type Tick,
} from "../../../../shared/netcode/game.ts";
import { type Pose, PoseList } from "../../../../shared/netcode/pose_list.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { CountedMatch } from "../row_match.ts";
import { Lab } from "../lab.ts";
import { PopMeter } from "../../../../client/lab/engine/pop_meter.ts";
import { PEOPLE_WARM_UP_SECONDS } from "./people_row.ts";
import { PersonRecording } from "./person_recording.ts";
import { type InputDelayTicks, replayFrames } from "./replay.ts";

/** A game of the kit with people who can play it. */
export interface PeopleGame<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly view: View<Command, Sim, KitFrame>;
  /** The people's styles, by name; the n-th person has the n-th style, and the list repeats. */
  readonly styles: readonly string[];
  person(index: number, seed: number): BotPlayer<Command, Sim>;
}

export interface GuessRowOptions extends CountedMatch {
  /** All people's input delay, ticks; by default none. */
  readonly inputDelay?: InputDelayTicks;
}

/** What a client shows, as means over all people. Metres. */
export interface GuessFigures {
  /** Rivals, who are people. */
  readonly drawnErrorM: number;
  readonly headErrorM: number;
  /** `pop_meter.ts` */
  readonly popMeter: number;
  /** Moving things without a seat, such as a puck, at the head. */
  readonly thingsHeadErrorM: number;
  /** The own body, at the head. */
  readonly ownHeadErrorM: number;
}

export interface GuessRow {
  /** By this page. */
  readonly guessed: GuessFigures;
  /** By a client that assumes. */
  readonly assumed: GuessFigures;
  /** Guessed relative to assumed; below 1 is better. */
  readonly drawnErrorToAssumed: number;
  readonly headErrorToAssumed: number;
  readonly popMeterToAssumed: number;
  readonly thingsHeadErrorToAssumed: number;
  /** The drawn error of rivals with each style. */
  readonly drawnErrorToAssumedByStyle: Readonly<Record<string, number>>;
}

/** Plays the match and replays it. The same options give the same row. */
export function runGuessRow<Command, Sim extends Simulation<Command>>(
  people: PeopleGame<Command, Sim>,
  options: GuessRowOptions,
): GuessRow {
  const { game, styles } = people;
  const { recordings, definitive, styleOf } = play(people, options);
  const { newGuesser: _guesses, ...assuming } = game;
  const { seconds, inputDelay = 0 } = options;
  const guessed = watch(recordings, { ...people, definitive, styleOf, seconds, inputDelay });
  const assumed = watch(recordings, {
    ...people,
    game: assuming,
    definitive,
    styleOf,
    seconds,
    inputDelay,
  });
  const to = (key: keyof GuessFigures) => rounded(guessed.figures[key] / assumed.figures[key]);
  return {
    guessed: guessed.figures,
    assumed: assumed.figures,
    drawnErrorToAssumed: to("drawnErrorM"),
    headErrorToAssumed: to("headErrorM"),
    popMeterToAssumed: to("popMeter"),
    thingsHeadErrorToAssumed: to("thingsHeadErrorM"),
    drawnErrorToAssumedByStyle: Object.fromEntries(
      styles.slice(0, options.players).map((style, i) => [
        style,
        rounded(guessed.byStyle[i]!.mean / assumed.byStyle[i]!.mean),
      ]),
    ),
  };
}

function play<Command, Sim extends Simulation<Command>>(
  { game, styles, person }: PeopleGame<Command, Sim>,
  { profile, link, players, npcs, seconds, seed, correlated, inputDelay = 0 }: GuessRowOptions,
) {
  const definitive = new Map<Tick, PoseList>();
  const runMs = (PEOPLE_WARM_UP_SECONDS + seconds) * 1000;
  const lab = new Lab({
    game,
    seed,
    npcs,
    onDefinitive(simulation) {
      const poses = new PoseList();
      simulation.poses(poses);
      definitive.set(simulation.tick, poses);
    },
  });
  const ordered = link === "ordered";
  const people = Array.from({ length: players }, (_, i) => {
    const controls = person(i, lab.random.bits());
    const recording = new PersonRecording<Command>({ ordered, clock: lab.clock });
    const network = networkModelOf(profile, { correlated, runMs });
    const player = lab.join(`person ${i + 1}`, {
      ...recording.record(controls),
      network,
      ordered,
      inputDelay: () => inputDelay,
    });
    controls.attach(player.session);
    return { recording, session: player.session };
  });
  lab.run(PEOPLE_WARM_UP_SECONDS + seconds);

  // Who joins first is a matter of the network.
  const styleOf = new Map(people.map(({ session }, i) => [session.seat, i % styles.length]));
  return { recordings: people.map(({ recording }) => recording), definitive, styleOf };
}

class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count++;
  }

  get mean(): number {
    return this.#sum / Math.max(1, this.#count);
  }
}

/** Replays all people's matches on one client. */
function watch<Command, Sim extends Simulation<Command>>(
  recordings: readonly PersonRecording<Command>[],
  { game, view, styles, definitive, styleOf, seconds, inputDelay }: {
    game: Game<Command, Sim>;
    view: View<Command, Sim, KitFrame>;
    styles: readonly string[];
    definitive: ReadonlyMap<Tick, PoseList>;
    /** By seat, the index of its style. */
    styleOf: ReadonlyMap<SeatId, number>;
    seconds: number;
    inputDelay: InputDelayTicks;
  },
): { figures: GuessFigures; byStyle: readonly Mean[] } {
  const playable: PlayableGame<Command, Sim, KitFrame> = {
    game,
    view,
    bodyStream: bodyStreamSupport(game),
    datagramSupport: (use) => use(SessionDatagrams),
  };
  const drawn = new Mean();
  const head = new Mean();
  const things = new Mean();
  const own = new Mean();
  const pops = new Mean();
  const byStyle = styles.map(() => new Mean());

  for (const recording of recordings) {
    const meter = new PopMeter();
    replayFrames(recording, {
      client: (options) =>
        new MatchPresenter(playable, { ...options, inputDelay: () => inputDelay }),
      command: game.command,
      warmUpSeconds: PEOPLE_WARM_UP_SECONDS,
      seconds,
      onFrame({ session, frameParts }, frame) {
        const { head: tick, seat: ownSeat } = session;
        const { fraction, poses } = frameParts!;
        const now = definitive.get(tick);
        const next = definitive.get(tick + 1);
        if (now === undefined || next === undefined) return;

        const rivals = new PoseList();
        for (const { id, seat, x, y, headX, headY } of ascending(frame)) {
          const pose = poses.previous.find(id);
          const from = now.find(id);
          const to = next.find(id);
          // A teleport at another tick is an error of half a rink, and a single one would outweigh
          // all others.
          if (pose === undefined || from === undefined || to === undefined) continue;
          if (pose.teleports !== from.teleports || from.teleports !== to.teleports) continue;

          const headError = Math.hypot(headX - from.x, headY - from.y);
          if (seat < 0 && isMoving(from, to)) things.add(headError);
          if (seat === ownSeat) own.add(headError);
          if (seat === ownSeat || !isPerson(seat)) continue;
          const error = Math.hypot(
            x - from.x - fraction * (to.x - from.x),
            y - from.y - fraction * (to.y - from.y),
          );
          drawn.add(error);
          head.add(headError);
          byStyle[styleOf.get(seat)!]!.add(error);
          Object.assign(rivals.add(), { ...pose, x, y });
        }
        meter.addFrame(rivals, tick + fraction, (tick) => definitive.get(tick));
      },
    });
    pops.add(meter.figures.pops);
  }

  const figures = {
    drawnErrorM: rounded(drawn.mean),
    headErrorM: rounded(head.mean),
    popMeter: rounded(pops.mean),
    thingsHeadErrorM: rounded(things.mean),
    ownHeadErrorM: rounded(own.mean),
  };
  return { figures, byStyle };
}

/** The drawn things that move, ascending by id, as a list of poses wants them. */
function ascending({ things }: KitFrame) {
  return [...things].sort((a, b) => a.id - b.id);
}

function isMoving(from: Pose, to: Pose): boolean {
  return from.x !== to.x || from.y !== to.y;
}

function isPerson(seat: SeatId): boolean {
  return seat >= 0 && seat < PLAYER_SEATS;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
