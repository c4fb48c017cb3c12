/** Codecs that forget something are found, and those of real games are not. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { checkCodec, CodecError } from "../../../shared/netcode/codec_check.ts";
import type { Codec } from "../../../shared/netcode/game.ts";
import { Match } from "../../../server/match/match.ts";
import { fieldCoderOf } from "../../../shared/netcode/wire/command_fields.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";
import { wireGame } from "../../tools/bench/wire/wire_game.ts";

interface Command {
  readonly dir: number;
  readonly boost: number;
}

const SOUND: Codec<Command> = {
  neutral: { dir: 0, boost: 0 },
  code: ({ dir, boost }, reference, coder) => ({
    dir: coder.flag(dir === reference.dir, 4000) ? reference.dir : coder.bits(dir, 3),
    boost: coder.flag(boost === reference.boost, 4090) ? reference.boost : coder.bits(boost, 2),
  }),
  same: (a, b) => a.dir === b.dir && a.boost === b.boost,
};
const SAMPLES: readonly Command[] = [{ dir: 3, boost: 0 }, { dir: 3, boost: 2 }, {
  dir: 7,
  boost: 1,
}];

Deno.test("checkCodec: the codecs of all games pass", () => {
  checkCodec(SOUND, SAMPLES);
  checkCodec(dragonGame.command);
  checkCodec(counterGame.command);
  checkCodec(wireGame.command);
});

Deno.test("checkCodec: an equality that forgets a property is found", () => {
  const forgetful: Codec<Command> = { ...SOUND, same: (a, b) => a.dir === b.dir };
  assertThrows(() => checkCodec(forgetful), CodecError, '"same" forgets "boost"');
  assertThrows(() => checkCodec(forgetful, SAMPLES), CodecError, '"same" forgets "boost"');
});

Deno.test("checkCodec: in a command of twelve fields, each one that the equality forgets is found", () => {
  const coders = Array.from({ length: 12 }, (_, i) =>
    fieldCoderOf({
      name: `f${i}`,
      type: "number",
      least: 0,
      greatest: 9,
      wraps: false,
      neutral: 0,
      held: false,
      unchanged: 4000,
    }));
  const codec = (forgotten: number): Codec<readonly number[]> => ({
    neutral: coders.map(() => 0),
    code: (values, references, coder) =>
      coders.map((code, i) => code(values[i]!, references[i]!, coder)),
    same: (a, b) => a.every((value, i) => i === forgotten || value === b[i]),
  });
  checkCodec(codec(-1));
  for (let i = 0; i < 12; i++) {
    assertThrows(() => checkCodec(codec(i)), CodecError, `"same" forgets "${i}"`);
  }
});

Deno.test("checkCodec: a coding that forgets a property is found, whatever it gives instead", () => {
  const dirOf: Codec<Command>["code"] = (value, reference, coder) =>
    SOUND.code(value, reference, coder);
  const constant: Codec<Command> = {
    ...SOUND,
    code: (...given) => ({ ...dirOf(...given), boost: 0 }),
  };
  assertThrows(
    () => checkCodec(constant),
    CodecError,
    '"code" forgets "boost": every command that it reads has 0',
  );
  const kept: Codec<Command> = {
    ...SOUND,
    code: ({ dir }, { boost }, coder) => ({ dir: coder.bits(dir, 3), boost }),
  };
  assertThrows(() => checkCodec(kept), CodecError, '"code" forgets "boost"');
  const missing = { ...SOUND, code: ({ dir }, _, coder) => ({ dir: coder.bits(dir, 3) }) } as Codec<
    Command
  >;
  assertThrows(() => checkCodec(missing), CodecError, '"code" forgets "boost"');
});

Deno.test("Match: a game whose equality forgets a property is refused when a match starts (SPEC 10.7)", () => {
  const game = { ...counterGame, command: { ...counterGame.command, same: () => true } };
  const calls = {
    clock: { now: () => 0 },
    newToken: () => "0",
    nameForms: (name: string) => [name],
  };
  const options = { npcs: 0, seed: 1, stream: "commands", ...calls } as const;
  assertThrows(() => new Match(game, options), CodecError, '"same" forgets');
  assertEquals(new Match(counterGame, options).tick, 0);
});

Deno.test("checkCodec: a value that a decoder changes is found in the samples", () => {
  const rounded: Codec<Command> = {
    ...SOUND,
    code: (value, reference, coder) =>
      SOUND.code({ ...value, dir: Math.round(value.dir) }, reference, coder),
  };
  checkCodec(rounded, SAMPLES);
  const error = assertThrows(() => checkCodec(rounded, [{ dir: 2.5, boost: 0 }]), CodecError);
  assertEquals((error as Error).message, '"code" changes "dir" from 2.5 to 3');
});

Deno.test("checkCodec: commands that are no objects have no properties to name", () => {
  const number: Codec<number> = {
    neutral: 0,
    code: (value, _, coder) => coder.bits(value, 4),
    same: (a, b) => a === b,
  };
  checkCodec(number, [3, 15]);
  assertThrows(
    () => checkCodec({ ...number, same: () => true }),
    CodecError,
    '"same" forgets what differs between',
  );
  assertThrows(
    () => checkCodec({ ...number, same: () => false }),
    CodecError,
    "different from itself",
  );
  const halved: Codec<number> = { ...number, code: (value, _, coder) => coder.bits(value >> 1, 4) };
  assertThrows(() => checkCodec(halved, [3]), CodecError, '"code" changes the command from 3 to 1');
});
