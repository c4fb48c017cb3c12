import { assertEquals } from "@std/assert";
import {
  CommandSender,
  type CommandSenderOptions,
} from "../../../client/session/command_sender.ts";
import { newSessionStats } from "../../../client/session/session_stats.ts";
import { type CounterCommand, counterGame } from "../../tools/lab/counter_game.ts";

type Options = CommandSenderOptions<CounterCommand>;

/**
 * A sender on a reliable link, with a fake reconciler that the test sets. `sendTo` returns the
 * messages that it sends.
 */
function openSender(seat: number | undefined) {
  const sent: string[] = [];
  const reconciler = { received: 100, isDesynced: false, acknowledged: undefined, npcUntil: -1 };

  /** What the server has announced, and which pings it has answered. */
  const server = { announced: -1, answered: -1 };
  const sender = new CommandSender({
    game: counterGame,
    seat,
    ordered: true,
    datagramSender: () => undefined,
    commandSource: { next: () => counterGame.command.neutral },
    predictor: {
      setLocalCommand: () => {},
      announcedAt: (tick: number) =>
        tick <= server.announced ? counterGame.command.neutral : undefined,
      forgetLocalCommands: () => {},
    } as unknown as Options["predictor"],
    reconciler: reconciler as unknown as Options["reconciler"],
    stats: newSessionStats(),
    piggybackPing: () => undefined,
    requestPing: () => 7,
    isAnswered: (ping) => ping <= server.answered,
    send: (message) =>
      sent.push(message.type === "command" ? `command ${message.tick}` : message.type),
  });
  const sendTo = (target: number) => {
    sender.sendTo(target, { leadMsOf: () => 0, tooLateTick: -1, nowMs: 0 });
    return sent.splice(0);
  };
  sender.begin(seat === undefined ? 90 : 102);
  return { reconciler, server, sendTo };
}

Deno.test("CommandSender: reports a desync at once, then once per received tick, in a command if any (SPEC 4.2)", () => {
  const { reconciler, sendTo } = openSender(3);
  assertEquals(sendTo(103), ["command 103"]);
  reconciler.isDesynced = true;
  assertEquals(sendTo(103), ["report"]);
  assertEquals(sendTo(103), []);
  reconciler.received = 101;
  assertEquals(sendTo(104), ["command 104"]);
  assertEquals(sendTo(104), []);
  // The received tick is far ahead of the local clock, so no command can carry the report.
  reconciler.received = 150;
  assertEquals(sendTo(105), ["report"]);
  assertEquals(sendTo(106), []);
  reconciler.isDesynced = false;
  reconciler.received = 151;
  assertEquals(sendTo(152), ["command 152"]);
});

Deno.test("CommandSender: a spectator sends nothing but desync reports (SPEC 4.2, 7.10)", () => {
  const { reconciler, sendTo } = openSender(undefined);
  assertEquals(sendTo(91), []);
  reconciler.isDesynced = true;
  assertEquals(sendTo(91), ["report"]);
  assertEquals(sendTo(92), []);
  reconciler.received = 101;
  assertEquals(sendTo(92), ["report"]);
});

/** A sender whose clock jumps back to tick 104 after it has issued commands up to tick 260. */
function openRewoundSender() {
  const opened = openSender(3);
  for (let tick = 103; tick <= 260; tick++) assertEquals(opened.sendTo(tick), [`command ${tick}`]);
  assertEquals(opened.sendTo(104), []);
  return opened;
}

Deno.test("CommandSender: after a jump back, commands wait for what the server took of the old ones (SPEC 5.28)", () => {
  const { reconciler, server, sendTo } = openRewoundSender();
  server.announced = 103;
  reconciler.received = 103;
  assertEquals(sendTo(105), []);
  server.answered = 7;
  assertEquals(sendTo(105), []);
  // The server has the old commands now. It announces what it took in this tick, or in the one
  // after it.
  reconciler.received = 105;
  server.announced = 168;
  assertEquals(sendTo(106), []);
  assertEquals(sendTo(168), []);
  assertEquals(sendTo(169), ["command 169"]);
});

Deno.test("CommandSender: after a jump back, commands go on at once if the server took none (SPEC 5.28)", () => {
  const { reconciler, server, sendTo } = openRewoundSender();
  server.answered = 7;
  assertEquals(sendTo(105), []);
  reconciler.received = 102;
  assertEquals(sendTo(106), ["command 106"]);
  assertEquals(sendTo(107), ["command 107"]);
});

Deno.test("CommandSender: after a jump back, ticks beyond the old commands need no answer (SPEC 5.28)", () => {
  const { sendTo } = openRewoundSender();
  assertEquals(sendTo(260), []);
  assertEquals(sendTo(261), ["command 261"]);
});
