/** Files with fewer lines than one idea usually takes. Each needs a reason to be a file of its own. */
import type { Source } from "./sources.ts";

/** Shorter files need a reason. */
export const FILE_LINES_MIN = 20;
/** Rules and view of a game are two files, however small the game is. `deno task new` makes short ones. */
const GAME_FILES = /^(shared\/games\/\w+\/game|client\/games\/\w+\/view)\.ts$/;
/** A file that is at least this long loses its reason. The distance lets comments grow without an edit here. */
const REASON_LINES_MAX = 30;

const ENTRY = "an entry: it names the game and starts the program";
const PAGE_SCRIPT = "the entry of a bundle; a page or another engine runs it";
const SHARED = "several tests share one function";
const PARTS = "the list of its folder's parts";
const ONE_TEST = "a test mirrors the file that it tests, and here it needs no more";

/** The reason for each short file, by its path. */
export const SHORT_FILES: Readonly<Record<string, string>> = {
  "client/debug/replay/replay_worker.ts": "the part of the replay that needs a worker; tests run the rest without one",
  "client/game_kit/template/view.ts": "a new game begins with it, and its author reads it at a glance",
  "client/build/strip_labels.ts": "a plugin of the bundler, apart from the build that uses it",
  "client/net/datagram_session.ts": "the functions that the page's script of datagrams exports",
  "client/games/dragons/help.ts": "the help line's words, apart from the view that shows it",
  "client/ui/wake_lock.ts": "the browser's lock, apart from the page that decides when to hold it",
  "server/http/std_http.ts": "the types of a package that has none",
  "server/main.ts": ENTRY,
  "server/match_log/nats/server_version.ts": "tests choose a server by it, and need no package for that",
  "server/trial/main.ts": ENTRY,
  "tests/support/trials/trapped_games.ts": "the server and its threads have the same games",
  "tests/support/trials/trapped_server.ts": ENTRY,
  "tests/support/trials/trapped_threads.ts": ENTRY,
  "tests/client/replay/trap_replay_worker.ts": ENTRY,
  "server/names/name_forms.ts": "the one file that imports the table of characters that look alike",
  "tests/support/seeded_secret.ts": SHARED,
  "tests/support/nats/with_nats.ts": "it looks for the program once, and only files that need it import this one",
  "server/http/std_web.ts": "the types of a package that has none",
  "shared/game_kit/checks/check_values.ts": "the checks of commands, of fields and of rules share two functions",
  "shared/game_kit/game_error.ts": "every file of the kit may throw it",
  "shared/game_kit/maths.ts": "rules and views share two functions",
  "shared/game_kit/world/bind_methods.ts": "the world, its joints and its questions share one function",
  "shared/games/registry.ts": "a line for each game",
  "shared/physics/planck/math_patch.ts": "modules run in the order of imports: this one must run before planck",
  "shared/physics/planck/math_restore.ts": "modules run in the order of imports: this one must run after planck",
  "shared/quoted.ts": "server, client and tests share one function",
  "shared/physics/chains/feature.ts": "the one value that a declaration lists, beside the code that it stands for",
  "shared/physics/core/field_types.ts": "the declarations of archetypes and of joints share two types",
  "shared/physics/stage/features.ts": "the declarations of archetypes, paths and joints share two functions",
  "shared/netcode/wire/stop_reasons.ts": "server and page share the words of a stop",
  "shared/source_problem.ts": "the development server and its pages share two types",
  "tests/bench/match/early_test.ts": ONE_TEST,
  "tests/bench/match/lossy_line.ts": "the crowd's process and a benchmark share two values",
  "tests/bench/match/socket_sink.ts": "a process of its own, so that its cost does not count",
  "tests/bench/median.ts": "three benchmarks share one function",
  "tests/bench/physics/physics_test.ts": ONE_TEST,
  "tests/browser/counter/server.ts": ENTRY,
  "tests/hunt/faults/fault_kinds.ts": PARTS,
  "tests/hunt/worker.ts": "the part of the hunt that needs a worker; tests run the rest without one",
  "tests/browser/golden_test.ts": ONE_TEST,
  "tests/browser/pages/golden_page.ts": PAGE_SCRIPT,
  "tests/browser/kit/page_source.ts": "the yard's page, apart from the two tests that show it",
  "tests/browser/kit/server.ts": ENTRY,
  "tests/browser/places.ts": "both browsers share it",
  "tests/browser/shots.ts": "all browser tests share one function",
  "tests/client/debug/rows.ts": SHARED,
  "tests/client/games/dragons/controls_test.ts": ONE_TEST,
  "tests/client/games/dragons/one_button_test.ts": ONE_TEST,
  "tests/client/games/dragons/presenters/dragon/sprites.ts": SHARED,
  "tests/client/games/dragons/presenters/presenters_test.ts": ONE_TEST,
  "tests/client/presentation/picture/canvas_test.ts": ONE_TEST,
  "tests/client/games/dragons/render/title_scene_test.ts": ONE_TEST,
  "tests/client/presentation/tick_messages.ts": SHARED,
  "tests/support/datagrams/renewing_server.ts": ENTRY,
  "tests/deploy/std_yaml.ts": "the types of a package that has none",
  "tests/server/metrics/event_loop_test.ts": ONE_TEST,
  "tests/server/metrics/recent_max_test.ts": ONE_TEST,
  "tests/client/ui/match/score_announcer_test.ts": ONE_TEST,
  "tests/client/ui/lobby/room_list_test.ts": ONE_TEST,
  "tests/server/stop/rounds_server.ts": ENTRY,
  "tests/client/ui/scores.ts": SHARED,
  "tests/determinism/chromium_page.ts": PAGE_SCRIPT,
  "tests/determinism/engine.ts": "an interface that the engines and their comparison share",
  "tests/determinism/firefox_page.ts": PAGE_SCRIPT,
  "tests/determinism/node_program.ts": PAGE_SCRIPT,
  "tests/determinism/with_timeout.ts": "two engines share one function",
  "tests/docs/main.ts": ENTRY,
  "tests/engines/engines.ts": PARTS,
  "tests/games/check_game_test.ts": ONE_TEST,
  "tests/lint/plugin.ts": PARTS,
  "tests/server/match/clients/ping_responder_test.ts": ONE_TEST,
  "tests/shared/games/dragons/golden_test.ts": ONE_TEST,
  "tests/shared/games/registry_test.ts": ONE_TEST,
  "tests/shared/netcode/simulated_network/message_copies_test.ts": ONE_TEST,
  "tests/shared/physics/scenes/features.ts": "the declarations of all tests share one list",
  "tests/std/assert.ts": "the import map's target for the assertions; it adds types to them",
  "tests/tidy/spec_test.ts": ONE_TEST,
  "tests/vectors/games/games.ts": PARTS,
  "tests/vectors/planted/plants.ts": PARTS,
};

/**
 * @param reasons paths with a reason to be short
 * @returns one line for each short file without a reason, and for each reason whose file is missing or clearly longer
 */
export function shortFileFaults(sources: readonly Source[], reasons = SHORT_FILES): string[] {
  const lengths = new Map(sources.map(({ path, lines }) => [path, lines.length]));
  return [
    ...[...lengths].filter(([path, length]) => length < FILE_LINES_MIN && !(path in reasons) && !GAME_FILES.test(path))
      .map(([path]) => `${path} is short without a reason`),
    ...Object.keys(reasons).filter((path) => (lengths.get(path) ?? Infinity) >= REASON_LINES_MAX).map((path) =>
      `${path} is missing or no longer short`
    ),
  ];
}
