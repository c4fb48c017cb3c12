/** Attacks on what only one side may know: seats' tokens, and the seeds of rooms. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { hashOf } from "../../../../shared/random.ts";
import { Random } from "../../../../shared/random.ts";
import { type Attack, countsOf, many, wait } from "../attack.ts";

const guessedTokens: Attack = {
  name: "guessed_tokens",
  threat: "4",
  async honest(target) {
    const address = target.newAddress();
    const owner = await target.join(address, { room: "TOKN" });
    await owner.play(30);
    owner.cut();
    await wait(100);
    const back = await target.join(address, { room: "TOKN", resume: owner.welcome!.resume });
    assertEquals(back.welcome!.seat, owner.welcome!.seat);
    return "the seat's token gives it back";
  },
  async commit(target) {
    const random = new Random(7);
    const seats = new Set((await target.players.read()).seats);
    const word = () => random.below(0x1_0000_0000).toString(16).padStart(8, "0");
    const guesses = [..."0f"].map((digit) => digit.repeat(32));
    for (let i = guesses.length; i < 60; i++) guesses.push(word() + word() + word() + word());
    const results: string[] = [];

    for (const wave of [0, 10, 20, 30, 40, 50]) {
      const address = target.newAddress();
      const strangers = await many(10, (i) => target.join(address, { resume: guesses[wave + i]! }));
      for (const { welcome, closeInfo } of strangers) {
        assert(!seats.has(welcome?.seat ?? -2), `seat ${welcome?.seat} was given away`);
        results.push(closeInfo === undefined ? "another seat" : String(closeInfo.code));
      }
      for (const stranger of strangers) {
        if (stranger.closeInfo === undefined) await stranger.leave();
      }
    }

    return `60 guessed tokens: ${countsOf(results)}`;
  },
};

const stolenToken: Attack = {
  name: "stolen_token",
  threat: "4",
  isQuick: true,
  async honest(target) {
    const address = target.newAddress();
    const owner = await target.join(address, { room: "STOL" });
    await owner.play(5);
    const back = await target.join(address, { room: "STOL", resume: owner.welcome!.resume });
    assertEquals((await owner.ended()).code, 4009);
    assertEquals(back.welcome!.seat, owner.welcome!.seat);
    assertNotEquals(back.welcome!.resume, owner.welcome!.resume);
    return "a token gives the seat back, and another token with it";
  },
  async commit(target) {
    const address = target.newAddress();
    const thief = target.newAddress();
    let owner = await target.join(address, { room: "STOL" });
    await owner.play(5);
    const stolen: string[] = [];
    for (let i = 0; i < 5; i++) {
      stolen.push(owner.welcome!.resume);
      owner = await target.join(address, { room: "STOL", resume: owner.welcome!.resume });
      await owner.play(5);
    }

    const watcher = await target.join(thief, { room: "STOL", spectate: true });
    stolen.push(
      watcher.welcome!.resume,
      owner.welcome!.resume.replace(/^./, (digit) => digit === "0" ? "1" : "0"),
    );

    for (const resume of stolen) {
      for (const spectate of [false, true]) {
        const { welcome } = await target.join(thief, { room: "STOL", resume, spectate });
        assertNotEquals(welcome?.seat, owner.welcome!.seat, "the seat was stolen");
      }
    }

    assertEquals(owner.closeInfo, undefined, "the owner's link");

    // Another room has no such seat.
    const elsewhere = await target.join(thief, { room: "ELSE", resume: owner.welcome!.resume });
    assertEquals([owner.closeInfo, elsewhere.welcome?.seat], [undefined, 0]);
    return "5 used tokens, a spectator's and a changed one, to play and to watch: the owner keeps the seat";
  },
};

/**
 * How many server seeds an attacker tries, 2^22, which takes a fraction of a second: enough when
 * the secret was only 32 bits long.
 */
const SEARCHED = 1 << 22;

const seedSearch: Attack = {
  name: "seed_search",
  threat: "16",
  async honest(target) {
    const address = target.newAddress();
    const [one, other] = await many(2, () => target.join(address, { room: "SEED" }));
    assertEquals(one!.welcome!.seed, other!.welcome!.seed);
    return "two players of a room get the same seed";
  },
  async commit(target) {
    const address = target.newAddress();
    const seeds: number[] = [];

    for (const room of ["SEEA", "SEEB", "SEEA"]) {
      const stranger = await target.join(address, { room });
      seeds.push(stranger.welcome!.seed);
      await stranger.leave();
      await wait(300);
    }

    assertEquals(new Set(seeds).size, 3, "a room that is opened again has another seed");

    // Two outputs of one known function of a small secret would give it away, and with it every
    // room.
    const [first, second] = ["SEEA", "SEEB"].map((room) => parseInt(room, 36)) as [number, number];
    let found = -1;
    for (let secret = 0; secret < SEARCHED && found < 0; secret++) {
      if (hashOf(secret, first) === seeds[0] && hashOf(secret, second) === seeds[1]) found = secret;
      // The attacker's thread searches, and reads in between.
      if (secret % 100_000 === 0) await wait(0);
    }

    assertEquals(found, -1, "the server's secret");
    return `${SEARCHED} secrets tried against the seeds of two rooms: none fits`;
  },
};

export const SECRET_ATTACKS: readonly Attack[] = [guessedTokens, stolenToken, seedSearch];
