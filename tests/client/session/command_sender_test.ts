import { assertEquals } from "@std/assert";
import { CommandSender, type CommandSenderOptions } from "../../../client/session/command_sender.ts";
import { newSessionStats } from "../../../client/session/session_stats.ts";
import { type CounterCommand, counterGame } from "../../lab/counter_game.ts";

type Options = CommandSenderOptions<CounterCommand>;

/**
 * A sender on a reliable link, with a fake reconciler that the test sets. `sendTo` returns the messages that it sends.
 */
function openSender(seat: number | undefined) {
  const sent: string[] = [];
  const reconciler = { received: 100, isDesynced: false, acknowledged: undefined };
  const sender = new CommandSender({
    game: counterGame,
    seat,
    ordered: true,
    commandSource: { next: () => counterGame.command.neutral },
    predictor: {
      setLocalCommand: () => {},
      announcedAt: () => undefined,
      forgetLocalCommands: () => {},
    } as unknown as Options["predictor"],
    reconciler: reconciler as unknown as Options["reconciler"],
    stats: newSessionStats(),
    piggybackPing: () => undefined,
    send: (message) => sent.push(message.type === "command" ? `command ${message.tick}` : message.type),
  });
  const sendTo = (target: number) => {
    sender.sendTo(target, { leadMsOf: () => 0, tooLateTick: -1, nowMs: 0 });
    return sent.splice(0);
  };
  sender.begin(seat === undefined ? 90 : 102);
  return { reconciler, sender, sendTo };
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

Deno.test("CommandSender: after a jump back, ticks up to 84 ahead that have a command get no other one (SPEC 5.28)", () => {
  const { sender, sendTo } = openSender(3);
  // The clock is far ahead: the server takes the first of these commands, and refuses the last.
  for (let tick = 103; tick <= 260; tick++) assertEquals(sendTo(tick), [`command ${tick}`]);
  sender.rewind(104);
  assertEquals(sendTo(105), []);
  assertEquals(sendTo(188), []);
  assertEquals(sendTo(189), ["command 189"]);
});
