import { assertEquals } from "@std/assert";
import { DatagramSender } from "../../../../client/session/datagrams/datagram_sender.ts";
import { newDatagramStats } from "../../../../client/session/datagrams/datagram_stats.ts";
import type { CommandsMessage } from "../../../../shared/netcode/wire/messages.ts";
import { type CounterCommand, counterGame } from "../../../tools/lab/counter_game.ts";

type Match = Parameters<DatagramSender<CounterCommand>["send"]>[0];

/**
 * A sender whose commands are all neutral, and whose datagrams the server has after three ticks.
 */
function openSender() {
  const sent: CommandsMessage<CounterCommand>[] = [];
  const stats = newDatagramStats();
  const sender = new DatagramSender<CounterCommand>({
    tickMs: 50,
    stats,
    send: (message) => sent.push(message),
  });
  const reconciler = { received: 0, isDesynced: false };
  const match = {
    game: counterGame,
    seat: 3,
    predictor: {
      localCommandAt: () => counterGame.command.neutral,
      announcedAt: (tick: number) =>
        tick < reconciler.received ? counterGame.command.neutral : undefined,
    } as unknown as Match["predictor"],
    reconciler: reconciler as unknown as Match["reconciler"],
  };

  /** Sends the datagrams of ticks. @returns the newest one */
  const play = (first: number, last: number, counts = 1) => {
    for (let tick = first; tick <= last; tick++) {
      reconciler.received = tick - 5;
      if (tick >= first + 3) {
        const reported = { counts: Array(8).fill(counts), areRead: Array(8).fill(true) };
        sender.acknowledge({ newest: tick - 3, ...reported }, 20);
      }
      sender.send(match, { tick, leadMs: 60, nowMs: 50 * tick });
    }
    return sent.at(-1)!;
  };
  return { sender, match, stats, sent, play };
}

Deno.test("DatagramSender: its datagrams become short, and another path begins with full ones and no copy due (SPEC 1.23, 16.13)", () => {
  const { sender, play } = openSender();
  assertEquals(play(100, 110).reference, undefined);
  assertEquals(sender.nextRepeatMs < Infinity, true);
  assertEquals(play(111, 200).reference, 192);
  sender.reset();
  assertEquals(sender.nextRepeatMs, Infinity);
  assertEquals(play(201, 210).reference, undefined);
  assertEquals(play(211, 300).reference, 288);
});

Deno.test("DatagramSender: a copy is the same datagram, and it is sent when it is due (SPEC 1.8)", () => {
  const { sender, match, stats, sent, play } = openSender();
  const newest = play(100, 110);
  const count = sent.length;
  const dueMs = sender.nextRepeatMs;
  sender.repeat(match, dueMs - 1);
  assertEquals(sent.length, count);
  sender.repeat(match, dueMs);
  assertEquals([sent.length, sent.at(-1) === newest, stats.upCopies], [count + 1, true, 1]);
});

Deno.test("DatagramSender: nothing is coded against datagrams whose ticks get other commands (SPEC 1.23)", () => {
  const { sender, play } = openSender();
  assertEquals(play(100, 200).reference, 192);
  sender.rewind();
  assertEquals(play(195, 210).reference, undefined);
  assertEquals(play(211, 240).reference, 232);
});
