/**
 * The tests of `deno task test:quick`: those that find the most mistakes for a second of a
 * processor. All together take at most 40 of these seconds, in user and system mode; `time deno
 * task test:quick` measures it. So a file comes in if a mistake in its subject reaches every match,
 * and if no cheaper file sees that mistake. What takes long to see stays with `deno task test`:
 * hundreds of thousands of rolled back ticks, fuzzing, browsers, clusters.
 */

export interface QuickTests {
  /** What they show. */
  readonly shows: string;
  /** Test files, or folders of them. */
  readonly paths: readonly string[];
}

export const QUICK_TESTS: readonly QuickTests[] = [
  {
    shows: "the stage steps as it always did, to the bit, and as planck does",
    paths: [
      "tests/shared/games/dragons/golden_test.ts",
      "tests/shared/physics/core/math_test.ts",
      "tests/shared/physics/dynamics/world_step_test.ts",
    ],
  },
  {
    shows: "a rollback ends in the same words, with a game of the kit on a stage",
    paths: [
      "tests/shared/game_kit/sync_test.ts",
      "tests/shared/netcode/timeline_test.ts",
      "tests/shared/netcode/twin_check_test.ts",
      "tests/shared/physics/snapshot/saved_state_test.ts",
    ],
  },
  {
    shows: "messages have the bytes of WIRE.md, as clients in other languages read them",
    paths: [
      "tests/shared/netcode/wire/body_codec_test.ts",
      "tests/shared/netcode/wire/command_fields_test.ts",
      "tests/shared/netcode/wire/messages_test.ts",
      "tests/shared/netcode/wire/range_coder_test.ts",
      "tests/tools/vectors/vectors_test.ts",
    ],
  },
  {
    shows: "commands are queued, and clients keep their lead; the whole path in virtual time",
    paths: [
      "tests/client/session",
      "tests/server/match/lead",
      "tests/server/match/match_test.ts",
      "tests/server/match/seats",
      "tests/tools/lab/counter_lab_test.ts",
    ],
  },
  {
    shows: "a real server starts, and a socket gets its match",
    paths: ["tests/server/games_test.ts", "tests/server/http/websocket_test.ts"],
  },
  {
    shows: "the walls stand, nothing is dead or dangling, tasks are what documents name",
    paths: [
      "tests/tidy/tidy_test.ts",
      "tests/tools/tasks",
    ],
  },
];
