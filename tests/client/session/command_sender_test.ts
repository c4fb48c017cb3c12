import { assertEquals } from "@std/assert";
import { CommandSender, type CommandSenderOptions } from "../../../client/session/command_sender.ts";
import { newSessionCounts } from "../../../client/session/session_stats.ts";
import { type CounterCommand, counterGame } from "../../lab/counter_game.ts";

type Options = CommandSenderOptions<CounterCommand>;

/** A sender on an ordered link, what it has said, and what it is told to know. */
function sending(seat: number | undefined) {
  const said: string[] = [];
  const definitive = { received: 100, outOfStep: false, acknowledged: undefined };
  const sender = new CommandSender({
    game: counterGame,
    seat,
    ordered: true,
    controls: { next: () => counterGame.command.neutral },
    predictor: { intend: () => {}, announcedAt: () => undefined } as unknown as Options["predictor"],
    definitive: definitive as unknown as Options["definitive"],
    counts: newSessionCounts(),
    ridingPing: () => undefined,
    send: (message) => said.push(message.kind === "command" ? `command ${message.tick}` : message.kind),
  });
  const sendTo = (target: number) => {
    sender.sendTo(target, { leadMs: 0, lost: -1, nowMs: 0 });
    return said.splice(0);
  };
  sender.begin(seat === undefined ? 90 : 102);
  return { definitive, sendTo };
}

Deno.test("CommandSender: out of step, it says so at once, and once for each tick that comes, in a command where there is one (SPEC 4.2)", () => {
  const { definitive, sendTo } = sending(3);
  assertEquals(sendTo(103), ["command 103"]);
  definitive.outOfStep = true;
  assertEquals(sendTo(103), ["report"]);
  assertEquals(sendTo(103), []);
  definitive.received = 101;
  assertEquals(sendTo(104), ["command 104"]);
  assertEquals(sendTo(104), []);
  // What came is far ahead of our own clock: there is no command to say it with.
  definitive.received = 150;
  assertEquals(sendTo(105), ["report"]);
  assertEquals(sendTo(106), []);
  definitive.outOfStep = false;
  definitive.received = 151;
  assertEquals(sendTo(152), ["command 152"]);
});

Deno.test("CommandSender: a watcher says nothing but that he is out of step (SPEC 4.2, 7.6)", () => {
  const { definitive, sendTo } = sending(undefined);
  assertEquals(sendTo(91), []);
  definitive.outOfStep = true;
  assertEquals(sendTo(91), ["report"]);
  assertEquals(sendTo(92), []);
  definitive.received = 101;
  assertEquals(sendTo(92), ["report"]);
});
