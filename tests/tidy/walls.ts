/**
 * The walls between the rooms (DESIGN 2), checked in the imports. `tests/lint` has the names that
 * the pure rooms refuse.
 */
import { importsOf } from "./imports.ts";
import { isProduct, type Place, type Repository } from "./sources.ts";
import { withoutComments } from "./tokens.ts";

/** A file of the product: its imports, and its text without comments. */
interface Room {
  readonly path: string;
  readonly imports: readonly string[];
  readonly code: string;
}

/** The packages that a file may import, by the first pattern that its path matches. */
const PACKAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  // The server and the bots parse their command lines with it; no page imports it.
  [/^shared\/flags\.ts$/, ["zod", "node:util"]],
  [/^shared\//, []],
  [/^server\/match\//, []],
  [/^server\/settings\//, ["zod"]],
  [/^server\/metrics\/open_telemetry\.ts$/, ["@opentelemetry/api"]],
  [/^server\/names\/name_forms\.ts$/, ["unhomoglyph"]],
  [/^server\/http\/std_http\.ts$/, ["deno-std/http/negotiation.js", "deno-std/http/etag.js"]],
  [/^server\/match_log\/nats\/nats_client\.ts$/, ["@nats-io/nats-core"]],
  [/^server\/match_log\/nats\/tcp_transport\.ts$/, [
    "@nats-io/nats-core",
    "@nats-io/nats-core/internal",
    "@nats-io/transport-node/lib/node_transport.js",
  ]],
  [
    /^server\/nodes\/(hand_over|known_faults|listed_rooms|matchmaker|nodes|advertised_rooms|seat_reservations)\.ts$/,
    ["zod"],
  ],
  [/^server\/ops\/(asked_nodes|operations)\.ts$/, ["zod"]],
  [/^server\/results\/result_message\.ts$/, ["zod"]],
  [/^server\/tickets\/authorise_hook\.ts$/, ["zod", "node:url"]],
  [/^server\/tickets\/admission\.ts$/, ["zod"]],
  [/^server\/introductions\/introductions\.ts$/, ["zod"]],
  [/^server\/(bus\/pipe_messages|bans\/ban_message|messages\/message_parts)\.ts$/, ["zod"]],
  [/^server\/supervision\/(build_pages|child_command)\.ts$/, ["node:url"]],
  [/^server\/supervision\/(faults|parent_link|reports)\.ts$/, ["zod"]],
  [/^server\/ground\/std_web\.ts$/, [
    "deno-std/async/abortable.js",
    "deno-std/encoding/base64url.js",
    "deno-std/crypto/timing_safe_equal.js",
    "deno-std/html/entities.js",
    "deno-std/http/cookie.js",
  ]],
  [/^server\/ground\/server_secret\.ts$/, ["node:crypto"]],
  [/^server\/http\/absent_page\.ts$/, ["node:crypto", "node:http"]],
  [/^server\/package\//, ["node:child_process", "node:fs", "node:process", "node:url"]],
  // It runs on Node, too, and needs no package there.
  [/^server\/(create\/|dev\/new_game\.ts$)/, [
    "node:fs",
    "node:fs/promises",
    "node:path",
    "node:process",
    "node:readline/promises",
    "node:url",
    "node:util",
    // Tests of a new project
    "node:assert/strict",
    "node:test",
  ]],
  [/^client\/package\/bots\.ts$/, ["node:process"]],
  [/^server\/trial\/deadline\.ts$/, ["node:vm"]],
  [/^server\/results\/results_file\.ts$/, ["node:sqlite"]],
  [/^server\//, [
    "ws",
    "node:http",
    "node:https",
    "node:net",
    "node:stream",
    "node:buffer",
    "node:zlib",
  ]],
  [/^client\/(bots\/program|build\/pack\/main)\.ts$/, ["zod"]],
  // Only the bots use it.
  [/^client\/net\/node_websocket_link\.ts$/, ["ws"]],
  [/^client\/build\/elsewhere\.ts$/, ["fflate", "zod"]],
  [/^client\/build\/same_bits\.ts$/, ["zod"]],
  [/^client\/build\/pack\/tarball\.ts$/, ["modern-tar", "node:zlib"]],
  [/^client\/build\/mapped_stack\.ts$/, ["@jridgewell/trace-mapping"]],
  [/^client\/build\/pack\/sizes\.ts$/, [
    "@jridgewell/trace-mapping",
    "esbuild",
    "node:url",
    "node:zlib",
  ]],
  [/^client\/build\/|^client\/games\/\w+\/strip_npc_policy\.ts$/, [
    "esbuild",
    "node:path",
    "node:url",
    "node:util",
    "node:zlib",
  ]],
  [/^client\/debug\/graphs\.ts$/, ["uplot"]],
  [/^client\/ui\/asked\/invite_dialog\.ts$/, ["qr"]],
  // They are in the worker of `--check-planck` alone (SPEC 9.91).
  [/^client\/debug\/planck\/(one_way|planck_joints|planck_shapes|planck_world)\.ts$/, ["planck"]],
  [/^client\/same_bits\/page\.ts$/, ["client/same_bits/measured.json"]],
  // They are in the page that `build:same-bits` makes, and in no page of a server.
  [/^client\/same_bits\/libraries\/planck_scene\.ts$/, ["planck"]],
  [/^client\/same_bits\/libraries\/matter_scene\.ts$/, ["matter-js"]],
  [/^client\/same_bits\/libraries\/rapier_scene\.ts$/, [
    "@dimforge/rapier2d-deterministic-compat",
  ]],
  [/^client\//, []],
];

/** The features of a stage, which a declaration lists. */
const FEATURES =
  /^shared\/physics\/((chains|joints|rounded)\/feature|joints\/joints_of|stage\/(describe|kinematic_paths|properties|queries)|events\/touches)\.ts$/;

/** The small tools of `shared/`, the stage's author API, and the contract with the netcode. */
const PUBLIC_API: readonly RegExp[] = [
  /^shared\/physics\/(stage\/(stage|body_stream|entity|explosion)|events\/contact_events|core\/(types|math|fields)|joints\/joints|snapshot\/labels)\.ts$/,
  FEATURES,
  /^shared\/netcode\/(game|round_outcome|pose_list|codec_check|wire\/(range_coder|command_fields))\.ts$/,
  /^shared\/[a-z_]+\.ts$/,
];

/**
 * The libraries of the package `wyvern` (`client/build/libraries.ts`): a game of this repository
 * has what a game elsewhere has.
 */
const LIBRARIES_SHARED = [/^shared\/game_kit\/game_kit\.ts$/, /^shared\/package\//];
const LIBRARIES_OF_PAGES = [/^client\/game_kit\/client_kit\.ts$/, /^client\/package\//];
/** Games whose renderer and bot use the tools of our own page, beside the libraries. */
const WITH_PAGE_TOOLS = new Set(["dragons"]);

/** The rules of a game may import its own folder and the libraries. */
function gameMayImport(game: string): readonly RegExp[] {
  return [new RegExp(`^shared/games/${game}/`), ...LIBRARIES_SHARED];
}

const NO_GAME = /^shared\/(?!games\/)/;

/** A game's client may import its own folder, its own rules, the libraries, and a page's texts. */
function gameClientMayImport(game: string): readonly RegExp[] {
  const own = [new RegExp(`^(client|shared)/games/${game}/`), /^client\/build\/page_source\.ts$/];
  const libraries = [...own, ...LIBRARIES_SHARED, ...LIBRARIES_OF_PAGES];
  return WITH_PAGE_TOOLS.has(game)
    ? [...libraries, /^client\/(session|input|presentation)\//, NO_GAME]
    : libraries;
}

/**
 * The files that a file may import, by the first pattern that its path matches; for a game by the
 * game's name.
 */
const FOLDERS:
  readonly (readonly [RegExp, readonly RegExp[] | ((game: string) => readonly RegExp[])])[] = [
    [/^shared\/netcode\//, [/^shared\/netcode\//, /^shared\/[a-z_]+\.ts$/]],
    // What every game owes, for `wyvern check` and the tests
    [/^shared\/duties\//, [/^shared\/(duties|netcode)\//, /^shared\/[a-z_]+\.ts$/]],
    [/^shared\/physics\/core\//, [/^shared\/physics\/core\//, /^shared\/[a-z_]+\.ts$/]],
    [/^shared\/physics\/geometry\//, [/^shared\/physics\/(core|geometry)\//]],
    [/^shared\/physics\/collision\//, [/^shared\/physics\/(core|collision)\//]],
    // Entities live in stage/ and joints/ alone: a world step has bodies and contacts.
    [/^shared\/physics\/dynamics\//, [
      /^shared\/physics\/(core|geometry|collision|dynamics)\//,
      /^shared\/(sorted_list|step_profile)\.ts$/,
    ]],
    [/^shared\/physics\/chains\//, [/^shared\/physics\/(core|geometry|chains)\//]],
    [/^shared\/physics\/rounded\//, [/^shared\/physics\/(core|geometry|rounded)\//]],
    [/^shared\/physics\/joints\//, [
      /^shared\/physics\/(core|dynamics|joints|snapshot|stage)\//,
      /^shared\/[a-z_]+\.ts$/,
    ]],
    [/^shared\/physics\//, [/^shared\/physics\//, /^shared\/[a-z_]+\.ts$/]],
    [/^shared\/game_kit\/templates\//, LIBRARIES_SHARED],
    [/^shared\/game_kit\//, [/^shared\/game_kit\//, ...PUBLIC_API]],
    // What others import, under the package's names (SPEC 19).
    [/^shared\/package\//, [NO_GAME]],
    [/^client\/package\/(build|bots)\.ts$/, [
      /^client\/(build|bots)\//,
      /^server\/package\/own_games\.ts$/,
    ]],
    [/^client\/package\//, [/^client\/(own_page|solo|session|net|presentation)\//, NO_GAME]],
    [/^client\/own_page\//, [
      /^client\/(own_page|page_rooms|game_kit|solo|ui|presentation|session|net|input|debug)\//,
      NO_GAME,
    ]],
    [/^shared\/games\/(\w+)\//, gameMayImport],
    [/^shared\/games\/registry\.ts$/, [/^shared\/games\/\w+\//, /^shared\/netcode\/game\.ts$/]],
    [/^shared\//, [/^shared\/[a-z_]+\.ts$/]],
    [/^server\/match\//, [/^server\/match\//, NO_GAME]],
    [/^server\/(main|replay|trial\/main|dev\/new_game)\.ts$/, [/^server\//, /^shared\//]],
    [/^server\//, [/^server\//, NO_GAME]],
    [/^client\/session\//, [/^client\/session\//, NO_GAME]],
    [/^client\/net\//, [/^client\/net\//, NO_GAME]],
    [/^client\/input\//, [/^client\/input\//, /^client\/ui\/dom\.ts$/, NO_GAME]],
    [/^client\/presentation\//, [/^client\/(presentation|session|net|input)\//, NO_GAME]],
    // A page runs the server's own match: to practise, to play on from a log, and in the lab.
    [/^client\/solo\//, [/^client\/solo\//, /^server\/match\//, NO_GAME]],
    [/^client\/page_rooms\//, [/^client\/(page_rooms|solo|session|net)\//, NO_GAME]],
    [/^client\/ui\//, [
      /^client\/(ui|page_rooms|solo|presentation|session|net|input)\//,
      /^client\/debug\/overlay\.ts$/,
      /^client\/replay\/rewind\/rewind\.ts$/,
      NO_GAME,
    ]],
    [/^client\/game_kit\/templates\//, [
      ...LIBRARIES_OF_PAGES,
      ...LIBRARIES_SHARED,
      /^shared\/game_kit\/templates\//,
    ]],
    [/^client\/game_kit\//, [/^client\/(game_kit|ui|presentation|session|net|input)\//, NO_GAME]],
    [/^client\/debug\//, [/^client\/(debug|ui|presentation|session|net)\//, NO_GAME]],
    [/^client\/replay\//, [
      /^client\/(replay|solo|debug|ui|presentation|session|net|input)\//,
      /^server\/match\//,
      NO_GAME,
    ]],
    // People and scenes name their games.
    [/^client\/lab\//, [
      /^client\/(lab|solo|game_kit|ui|presentation|session|net|input|bots)\//,
      /^server\/match\//,
      /^shared\//,
    ]],
    [/^client\/games\/(\w+)\//, gameClientMayImport],
    [/^client\/bots\/main\.ts$/, [
      /^client\/(bots|session)\//,
      /^client\/games\/\w+\/bot\.ts$/,
      /^shared\//,
    ]],
    [/^client\/bots\/program\.ts$/, [/^client\/bots\//, /^shared\//]],
    [/^client\/bots\//, [/^client\/(bots|session|net)\//, NO_GAME]],
    [/^client\/game_list\//, [/^client\/(ui\/dom|input\/pad_focus)\.ts$/]],
    [/^client\/same_bits\//, [/^client\/(same_bits\/|ui\/dom\.ts$)/, NO_GAME]],
    [/^client\/build\//, [
      /^client\/(?!games\/)/,
      /^shared\/(games\/registry|flags|game_names|quoted|source_place|source_problem)\.ts$/,
    ]],
  ];

/**
 * The files of the client that may name a game: the games' own folders, the lab's people and
 * scenes, and the files that name the registry.
 */
const GAME_FILES = /^client\/(games\/\w+\/|lab\/(people|scenes)\/|build\/|bots\/main\.ts$)/;

/** The files that may use real clocks and timers. */
const CLOCK_FILES = new Set([
  "server/ground/ticker.ts",
  "server/http/listener.ts",
  "server/match_log/file_logs.ts",
  "server/match_log/nats/nats_client.ts",
  "server/match_log/nats/stream_requests.ts",
  "server/http/websocket.ts",
  "server/introductions/introduction_sockets.ts",
  "server/supervision/debugger.ts",
  "server/supervision/service_manager.ts",
  "server/supervision/watchdog_thread.ts",
  // A fixed date, for the files of an archive
  "client/build/pack/tarball.ts",
  "client/ui/matchmaking.ts",
  "client/ui/pulse_worker.ts",
  "client/input/pad_focus.ts",
  "client/ui/asked/first_flight.ts",
  "client/ui/played_matches.ts",
  "client/ui/reload.ts",
  "client/ui/run_page.ts",
  "client/own_page/join_match.ts",
  "client/own_page/mount_lobby.ts",
  "client/own_page/mounted_overlay.ts",
  "client/own_page/page_replay.ts",
  "client/own_page/played_match.ts",
  "client/replay/run_replay_page.ts",
  "client/lab/page/run_lab_page.ts",
  "client/replay/trial/trial_worker.ts",
  "client/page_rooms/introducer.ts",
  "client/page_rooms/rtc_connection.ts",
  "client/page_rooms/rtc_mesh.ts",
  "client/solo/offline_worker.ts",
  "client/solo/solo_worker.ts",
  "client/solo/worker_match.ts",
  "client/game_list/list.ts",
  "client/same_bits/page.ts",
  "client/same_bits/run_worker.ts",
  "client/bots/bot_client.ts",
  "client/bots/run_bots.ts",
  "client/net/servers.ts",
  "client/net/websocket_link.ts",
  "client/net/web_transport_link.ts",
  // Only pages of `deno task dev` contain it.
  "client/build/live_reload.ts",
  // It bounds how long an author's loops run.
  "client/ui/loop_turn.ts",
]);

const CLOCK = /\bperformance\.now\b|\bDate\b|\bset(Timeout|Interval)\b|\brequestAnimationFrame\b/;

/**
 * Only the physics sees them (`shared/physics/stage/internals.ts`), and what judges it in
 * development.
 */
const INTERNALS = "shared/physics/stage/internals.ts";
const INTERNALS_FILES = /^shared\/physics\/|^client\/debug\/planck\/planck_world\.ts$/;

/**
 * Finds what breaks a wall. Walls separate the rooms of the product; a test may import every file
 * that it tests.
 */
export function wallPlaces({ sources }: Repository): Place[] {
  const rooms = sources.filter(({ path }) => isProduct(path)).map((source): Room => ({
    path: source.path,
    imports: importsOf(source),
    code: withoutComments(source.text, source.tokens),
  }));
  return rooms.flatMap((room) =>
    [...faultsOf(room)].map((text) => ({ path: room.path, line: 1, text }))
  );
}

/** A module of the repository, or a text that one imports, such as a style sheet. */
const OWN_FILE = /\.(ts|css|html)$/;

function* faultsOf({ path, imports, code }: Room): Generator<string> {
  const packages = PACKAGES.find(([pattern]) => pattern.test(path))?.[1];
  const folders = foldersFor(path);
  if (packages === undefined || folders === undefined) yield "no wall is known for this path";

  for (const target of imports) {
    const isAllowed = OWN_FILE.test(target)
      ? folders?.some((pattern) => pattern.test(target))
      : packages?.includes(target);
    if (isAllowed === false) yield `imports ${target}`;
  }

  if (path.startsWith("client/") && !GAME_FILES.test(path)) {
    const games = imports.filter((target) => target.startsWith("shared/games/"));
    yield* games.map((target) => `names a game: ${target}`);
  }
  if (imports.includes(INTERNALS) && !INTERNALS_FILES.test(path)) {
    yield "imports the stage's internals";
  }
  if (!CLOCK_FILES.has(path) && CLOCK.test(code)) yield "uses a real clock or timer";
}

/** The files that a file may import; undefined if no rule is for its path. */
function foldersFor(path: string): readonly RegExp[] | undefined {
  const [pattern, folders] = FOLDERS.find(([pattern]) => pattern.test(path)) ?? [];
  return typeof folders === "function" ? folders(pattern!.exec(path)![1]!) : folders;
}
