/**
 * Attacks a live server, while honest players play beside the attackers. The exit code is 1 if an
 * attack got through, or if somebody felt it.
 *
 *     deno task chaos attack [--only NAMES --quick --untimed --list --seed N --server-flags FLAGS --json]
 *
 * With --json the last line is {attacks: [{name, passed, felt, detail}], passed, failed}.
 */
import * as z from "zod";
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { runTool } from "../../support/tool.ts";
import type { Attack } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { type AttackResult, runAttacks } from "./run_attacks.ts";

/** Five seconds before each server's first attack, and at least as long for each attack. */
const TICKS = 100;

const FLAGS = {
  only: {
    schema: z.string().min(1).optional(),
    about: "only these attacks",
    allowed: "names with commas between",
  },
  quick: {
    schema: present(),
    about: "only the quickest, in three minutes",
    allowed: "",
    switch: true,
  },
  untimed: {
    schema: present(),
    about: "show late ticks and newcomers, and do not judge them: for a machine with other work",
    allowed: "",
    switch: true,
  },
  list: {
    schema: present(),
    about: "print the names and their threats, and attack nobody",
    allowed: "",
    switch: true,
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "what happens by chance [1]",
    allowed: "a whole number",
  },
  "server-flags": {
    schema: z.string().default(""),
    about: "further flags of the server, to see an attack get through",
    allowed: 'flags in one text, such as "--rooms 10000"',
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @throws UsageError for a name that is no attack's */
function chosen({ only, quick }: { only: string | undefined; quick: boolean }): readonly Attack[] {
  const names = only?.split(",");
  const unknown = names?.find((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown} is no attack; --list has their names`);
  }
  return ATTACKS.filter(({ name, isQuick }) => names?.includes(name) ?? (!quick || isQuick));
}

function textOf({ name, passed, felt, detail }: AttackResult): string {
  const figures = felt === null
    ? ""
    : Object.entries(felt).map(([key, value]) => `${key} ${value}`).join(", ");
  return `${passed ? "held  " : "FAILED"} ${name}\n       ${detail}\n       ${figures}`;
}

/** @returns the exit code: 1 if an attack got through */
async function attack(flags: FlagValues<typeof FLAGS>): Promise<number> {
  if (Deno.build.os !== "linux") {
    throw new UsageError("attackers need the addresses 127.0.0.0/8, which Linux has");
  }
  const attacks = chosen(flags);

  if (flags.list) {
    for (const { name, threat, isQuick } of attacks) {
      console.log(`${name.padEnd(30)} ${threat}${isQuick ? ", quick" : ""}`);
    }
    return 0;
  }

  let begun = 0;
  const results = await runAttacks(attacks, {
    seed: flags.seed,
    ticks: TICKS,
    isUntimed: flags.untimed,
    flags: flags["server-flags"].split(" ").filter((flag) => flag !== ""),
    onAttack: ({ name }) => console.error(`${++begun} of ${attacks.length}: ${name}`),
    onResult: (result) => flags.json ? console.error(textOf(result)) : console.log(textOf(result)),
  });
  const passed = results.filter((result) => result.passed).length;
  const failed = results.length - passed;
  if (flags.json) console.log(JSON.stringify({ attacks: results, passed, failed }));
  else console.log(`${passed} held, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("chaos attack", { flags: FLAGS, run: attack }));
