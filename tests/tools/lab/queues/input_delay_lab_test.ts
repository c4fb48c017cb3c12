import { assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { InputDelayChoice } from "../../../../client/session/input_delay.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { type CounterCommand, counterGame } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { RandomCounterControls } from "../random_controls.ts";

const FAR = { oneWayMs: 100, jitterMs: 10 };
const PLAYERS = 4;

interface Delays {
  readonly choiceAt: (nowMs: number) => InputDelayChoice;
  readonly ordered?: boolean;
  readonly network?: { readonly oneWayMs: number; readonly jitterMs: number };
}

/** Plays, all players with this delay, and then idles until every press has arrived. */
function play(seed: number, { choiceAt, ordered = true, network = FAR }: Delays) {
  const lab = new Lab({
    game: counterGame,
    seed,
    npcs: 2,
    newToken: () => "0123456789abcdef0123456789abcdef",
  });
  const controls = Array.from(
    { length: PLAYERS },
    (_, i) => new RandomCounterControls(10 * seed + i),
  );
  const sent: string[] = [];
  const issued: Tick[][] = controls.map(() => []);
  const players = controls.map((each, i) => {
    const inputDelay = () => choiceAt(lab.nowMs);
    const commandSource: CommandSource<CounterCommand> = {
      next: (tick, acknowledged) => {
        issued[i]!.push(tick);
        return each.next(tick, acknowledged);
      },
    };
    const player = lab.join(`p${i}`, { commandSource, network, ordered, inputDelay });
    const { link } = player;
    const send = link.send.bind(link);
    link.send = (bytes) => {
      sent.push(`${i} ${lab.nowMs.toFixed(1)} ${bytes}`);
      send(bytes);
    };
    return player;
  });
  let stepsBack = 0;
  let delayTicks = 0;
  let before = -1;
  lab.run(60, () => {
    const { session } = players[0]!;
    if (session.head < before) stepsBack++;
    before = session.head;
    delayTicks += session.inputDelayTicks / (60 * counterGame.tickHz);
  });
  const atTick = { head: players[0]!.session.head, definitive: lab.serverSimulation!.tick };
  for (const each of controls) each.isIdle = true;
  lab.run(5);
  const sum = (
    key:
      | "rollbacks"
      | "resimulatedTicks"
      | "commandsLate"
      | "commandsSent"
      | "desyncs"
      | "statesAdopted",
  ) => players.reduce((total, { session }) => total + session.stats[key], 0);
  const pressed = controls.map(({ pressTotal }) => pressTotal);
  const counted = players.map(({ session }) => lab.serverSimulation!.pressesOf(session.seat));
  return {
    lab,
    players,
    sent,
    issued,
    sum,
    pressed,
    counted,
    stepsBack,
    delayTicks,
    aheadTicks: atTick.head - atTick.definitive,
  };
}

Deno.test("Lab: each tick of input delay makes every rollback a tick shallower, and changes no message that the server gets (SPEC 5.40) [seed 61]", () => {
  const none = play(61, { choiceAt: () => 0 });
  assertGreater(none.sum("resimulatedTicks") / none.sum("rollbacks"), 4.5);
  assertGreater(none.sum("commandsLate"), 0);
  let before = none;

  for (const ticks of [1, 2, 3] as const) {
    const delayed = play(61, { choiceAt: () => ticks });
    assertGreater(delayed.delayTicks, 0.95 * ticks);
    assertEquals(none.aheadTicks - delayed.aheadTicks, ticks);
    // A rollback of one tick is gone.
    assertGreater(before.sum("rollbacks"), 2000);
    const shallower = before.sum("resimulatedTicks") - before.sum("rollbacks");
    assertAlmostEquals(delayed.sum("resimulatedTicks") / shallower, 1, 0.01);
    assertEquals(delayed.sum("commandsLate"), none.sum("commandsLate"));
    assertEquals(delayed.sent.findIndex((message, i) => message !== none.sent[i]), -1);
    assertEquals(delayed.sent.length, none.sent.length);
    assertEquals(delayed.pressed, delayed.counted);
    assertEquals([delayed.sum("desyncs"), delayed.stepsBack], [0, 0]);
    before = delayed;
  }
});

for (const seed of [62, 63, 64, 65]) {
  for (const ordered of [true, false]) {
    Deno.test(`Lab: while the input delay goes up and down no press is lost and no tick is without a command (SPEC 5.43) [seed ${seed}, ${ordered ? "reliable" : "datagrams"}]`, () => {
      const choices = [0, 3, 1, 2, 0, "automatic"] as const;

      // The delay also turns back before it has arrived.
      const everyMs = seed % 2 === 0 ? 1700 : 400;
      const choiceAt = (nowMs: number) => choices[Math.floor(nowMs / everyMs) % choices.length]!;
      const none = play(seed, { choiceAt: () => 0, ordered });
      const changing = play(seed, { choiceAt, ordered });
      assertGreater(changing.delayTicks, 0.5);
      for (const ticks of changing.issued) assertEquals(ticks, ticks.map((_, i) => ticks[0]! + i));
      assertEquals(changing.pressed, changing.counted);
      assertGreater(Math.min(...changing.pressed), 150);
      assertEquals([changing.sum("desyncs"), changing.stepsBack], [0, 0]);
      assertLess(changing.sum("resimulatedTicks"), none.sum("resimulatedTicks"));

      // All clients simulate what the server did.
      const { session } = changing.players[0]!;
      const { definitiveHashes } = changing.lab;
      for (let tick = session.definitiveTick - 50; tick < session.definitiveTick - 10; tick++) {
        assertEquals(session.provenHash(tick), definitiveHashes.get(tick));
      }
    });
  }
}

Deno.test("Lab: frames show the commands that are already issued, and the keys of now only beyond them (SPEC 5.16, 5.40) [seed 67]", () => {
  const lab = new Lab({ game: counterGame, seed: 67, npcs: 0 });
  const issued = new Map<Tick, number>();
  let keys = 0;
  let delay: InputDelayChoice = 2;
  const commandSource: CommandSource<CounterCommand> = {
    next: (tick) => {
      issued.set(tick, keys);
      return { presses: 0, dir: keys };
    },
    peek: () => ({ presses: 0, dir: keys }),
  };
  const { session } = lab.join("p", { commandSource, network: FAR, inputDelay: () => delay });
  const shown = { issued: 0, keys: 0 };
  const look = () => {
    keys = (keys + 2) % 3 - 1; // the keys change between any two looks
    const commands: (CounterCommand | undefined)[] = [];
    session.predictCommands(commands);
    const command = commands[session.seat];
    if (session.phase !== "playing" || command === undefined) return;
    const before = issued.get(session.head + 1);
    shown[before === undefined ? "keys" : "issued"]++;
    assertEquals(command.dir, before ?? keys);
  };
  lab.run(10, look);
  assertGreater(shown.issued, 150);
  assertEquals(shown.keys, 0);
  delay = 0;
  lab.run(5);
  lab.run(10, look);
  assertGreater(shown.keys, 150);
});

Deno.test("Lab: with a delay beyond the lead, the head is behind the newest definitive tick and nothing is wrong (SPEC 5.41) [seed 66]", () => {
  const near = play(66, { choiceAt: () => 3, network: { oneWayMs: 1, jitterMs: 0.3 } });
  assertLess(near.aheadTicks, -1);
  assertEquals(near.pressed, near.counted);
  assertEquals([near.sum("desyncs"), near.sum("rollbacks"), near.stepsBack], [0, 0, 0]);
  assertEquals(near.sum("statesAdopted"), PLAYERS);
});
