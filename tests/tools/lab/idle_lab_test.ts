/**
 * Players who do nothing, or cannot see the match: an NPC plays for them, and in the end they lose
 * the seat.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { PressCounter } from "../../../client/input/press_counter.ts";
import type { CommandSource, Session } from "../../../client/session/session.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import { type CounterCommand, counterGame, type CounterSimulation } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import { RandomCounterControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 40, jitterMs: 10 };
const LOSSY = { oneWayMs: 40, jitterMs: 20, loss: 0.05, duplicated: 0.01, delayed: 0.01 };
const CARRIERS = ["a socket", "datagrams"] as const;
/** An NPC is announced as far ahead as this match's clients need, at most a second. */
const ANNOUNCED_SECONDS = 1;

/** Ticks between two of an NPC's presses. */
const NPC_PRESS_TICKS = 41;

/**
 * NPCs in this game press rarely. The counter game's NPCs press eight times in a row, which a
 * counter cannot show.
 */
const game: typeof counterGame = {
  ...counterGame,
  start(options, seed) {
    const simulation = counterGame.start(options, seed);
    simulation.npcCommand = (seat, queued) => {
      const tick = simulation.tick + queued.length + 1;
      const before = queued.at(-1)?.presses ?? simulation.pressesOf(seat);
      return { presses: (before + (tick % NPC_PRESS_TICKS === 0 ? 1 : 0)) & 3, dir: 0 };
    };
    return simulation;
  },
};

/** A page's keys: they tell what is pressed now, and `peek` consumes nothing. */
class Keys implements CommandSource<CounterCommand> {
  readonly #counter = new PressCounter();
  dir = 0;
  pressed = 0;
  isHidden = false;

  next(_tick: number, acknowledged: CounterCommand | undefined): CounterCommand {
    this.#counter.setTotal(this.pressed);
    return { presses: this.#counter.next(acknowledged?.presses), dir: this.dir };
  }

  peek(acknowledged: CounterCommand | undefined): CounterCommand {
    this.#counter.setTotal(this.pressed);
    return { presses: this.#counter.peek(acknowledged?.presses), dir: this.dir };
  }

  resume(own: CounterCommand | undefined): void {
    this.#counter.resume(own?.presses);
  }
}

function open(carrier: typeof CARRIERS[number], seed = 7) {
  const lab = new Lab({ game, seed, npcs: 1, idleSeconds: 180 });
  lab.join("witness", { network: NETWORK, commandSource: new RandomCounterControls(3) });
  const keys = new Keys();
  const options = { commandSource: keys, isAway: () => keys.isHidden };
  const { session } = carrier === "datagrams"
    ? lab.joinByDatagrams("player", { network: LOSSY, ...options })
    : lab.join("player", { network: NETWORK, ...options });
  lab.run(3);
  keys.dir = 1;
  lab.run(1);
  assert(!session.isPlayedByNpc);
  return { lab, keys, session };
}

const pressesOf = (
  lab: Lab<CounterCommand, CounterSimulation>,
  { seat }: Session<CounterCommand>,
) => lab.serverSimulation!.pressesOf(seat);

/** Lets time pass until an NPC has just pressed. */
function untilPressed(lab: Lab<CounterCommand, CounterSimulation>): void {
  while (lab.match!.tick % NPC_PRESS_TICKS !== 1) lab.run(0.05);
}

for (const carrier of CARRIERS) {
  Deno.test(`Lab: an NPC plays for a player with the same commands for 20 s, until the first key, by ${carrier} (SPEC 3.17, 3.18, 3.19)`, () => {
    const { lab, keys, session } = open(carrier);
    lab.run(18.5);
    assertEquals(session.isPlayedByNpc, false);
    lab.run(1.5 + ANNOUNCED_SECONDS);
    assertEquals(session.isPlayedByNpc, true);
    const before = pressesOf(lab, session);
    lab.run(20);
    assertGreater(pressesOf(lab, session), before, "the NPC has pressed");
    assertEquals(session.isPlayedByNpc, true, "nothing that it does is the player's");

    untilPressed(lab);
    const atKey = pressesOf(lab, session);
    keys.pressed++;
    lab.run(ANNOUNCED_SECONDS);
    assertEquals(session.isPlayedByNpc, false);
    assertEquals(pressesOf(lab, session), atKey + 1, "the key that woke the seat counts once");
    for (let i = 0; i < 10; i++) {
      keys.pressed += 2;
      lab.run(0.7);
    }
    lab.run(1);
    assertEquals(pressesOf(lab, session), atKey + 21);
    assertEquals([session.phase, session.stats.desyncs, session.closeCode], ["playing", 0, 0]);
  });

  Deno.test(`Lab: after 180 s without a changed command the seat goes, by ${carrier} (SPEC 3.15)`, () => {
    const { lab, session } = open(carrier);
    lab.run(178.5);
    assertEquals(session.phase, "playing");
    lab.run(3.5);
    assertEquals([session.phase, session.closeCode], ["closed", CloseCode.idle]);
    assertEquals(lab.match!.reservedSeats, 0);
  });

  Deno.test(`Lab: an NPC plays for a hidden page after 2 s; it plays itself once it is seen, by ${carrier} (SPEC 3.17, 3.20)`, () => {
    const { lab, keys, session } = open(carrier);
    keys.isHidden = true;
    const sent = session.stats.commandsSent;
    lab.run(1.8);
    assertEquals(session.isPlayedByNpc, false);
    lab.run(1.2 + ANNOUNCED_SECONDS);
    assertEquals(session.isPlayedByNpc, true);
    lab.run(5);
    assertEquals([session.isPlayedByNpc, session.stats.commandsSent], [true, sent]);
    keys.isHidden = false;
    lab.run(ANNOUNCED_SECONDS);
    assertEquals(session.isPlayedByNpc, false, "the page is seen, and no key was needed");
    const before = pressesOf(lab, session);
    keys.pressed += 3;
    lab.run(2);
    assertEquals([pressesOf(lab, session), session.stats.desyncs], [before + 3, 0]);

    keys.isHidden = true;
    lab.run(182);
    assertEquals(session.closeCode, CloseCode.idle, "nobody came back to the page");
  });
}

Deno.test("Lab: a page that was hidden for long waits for a key when it is seen again (SPEC 3.20)", () => {
  const { lab, keys, session } = open("a socket");
  keys.isHidden = true;
  lab.run(60);
  keys.isHidden = false;
  lab.run(5);
  assertEquals([session.isPlayedByNpc, session.isInSync], [true, true]);
  keys.dir = -1;
  lab.run(ANNOUNCED_SECONDS);
  assertEquals([session.isPlayedByNpc, session.stats.desyncs], [false, 0]);
});

Deno.test("Lab: a network that holds messages back for 4 s costs no press after it (SPEC 3.17, 3.19) [seeds 1-20]", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const lab = new Lab({ game, seed, npcs: 1, idleSeconds: 180 });
    const keys = new Keys();
    lab.join("witness", { network: NETWORK, commandSource: new RandomCounterControls(3) });
    const { session, serverEnd } = lab.join("player", { network: NETWORK, commandSource: keys });
    lab.run(5);
    serverEnd.pause();
    keys.dir = 1;
    lab.run(4);
    serverEnd.resume();
    lab.run(3);
    assertEquals(session.isPlayedByNpc, false, `seed ${seed}: commands come again`);
    const before = pressesOf(lab, session);
    for (let i = 0; i < 5; i++) {
      keys.pressed++;
      lab.run(0.3);
    }
    lab.run(1);
    assertEquals([pressesOf(lab, session), session.stats.desyncs], [before + 5, 0], `seed ${seed}`);
  }
});

Deno.test("Lab: a program without a screen that stands still is played for, too; with --idle 0 it may stand (SPEC 3.18, 3.21)", () => {
  for (const idleSeconds of [180, 0]) {
    const lab = new Lab({ game, seed: 11, npcs: 1, idleSeconds });
    const program = { dir: 1, next: () => ({ presses: 0, dir: program.dir }) };
    const { session } = lab.join("program", { network: NETWORK, commandSource: program });
    lab.run(40);
    assertEquals(session.isPlayedByNpc, idleSeconds > 0);
    program.dir = 0;
    lab.run(ANNOUNCED_SECONDS);
    assertEquals(session.isPlayedByNpc, false);
    lab.run(200);
    assertEquals(session.closeCode, idleSeconds > 0 ? CloseCode.idle : 0);
    assertLess(session.stats.desyncs, 1);
  }
});
