/**
 * The commands of the tasks that have several, each with the permissions that it needs and no more.
 * `main.ts` beside this file runs them, and `deno task NAME --help` prints this table.
 */

export interface Command {
  /** What it does, and its flags. */
  readonly about: string;
  readonly permissions: readonly string[];
  /** Its path from the project's folder. */
  readonly script: string;
  /** What the script gets before the user's arguments. */
  readonly args?: readonly string[];
}

export interface Group {
  readonly commands: Readonly<Record<string, Command>>;
  /** The command of those who name none. */
  readonly usual?: string;
}

const ALL = ["-A"];
/** Runs this Deno alone. It need not be on the path: somebody with Node alone has it from npx. */
const RUN_DENO = `--allow-run=${Deno.execPath()}`;
const READ_TESTS = ["--allow-read=tests,shared"];
const READ_ENGINES = ["--allow-read=tests,shared,node_modules"];
const READ_CODE = ["--allow-read=client,server,shared,tests,node_modules"];
const WRITE_VECTORS = ["--allow-read=tests/vectors", "--allow-write=tests/vectors"];

/** One of the subjects of `bench/main.ts`. */
function bench(subject: string, about: string): Command {
  return { about, permissions: ALL, script: "tests/tools/bench/main.ts", args: [subject] };
}

export const GROUPS: Readonly<Record<string, Group>> = {
  lab: {
    usual: "match",
    commands: {
      match: {
        about:
          "measure command queues and predictions in virtual time: --game --profile --link --players --npcs --minutes --seed --reaction --people --judging --input-delay --held-aside --correlated --matrix --json",
        permissions: [],
        script: "tests/tools/lab/main.ts",
      },
      cheats: {
        about:
          "play duels against clients that cheat with their network or clock: --duels --seed --json",
        permissions: [],
        script: "tests/tools/lab/cheats/main.ts",
      },
      kills: {
        about:
          "measure how soon pages show own kills, and that none is taken back: --players --npcs --seconds --seed --json",
        permissions: [],
        script: "tests/tools/lab/kills/main.ts",
      },
      connection: {
        about:
          "print the figures that the lab expects from bots over a network: --clients --seconds --latency-ms --jitter-ms --seed --json",
        permissions: [],
        script: "tests/tools/lab/live_network.ts",
      },
      pages: {
        about:
          "play in rooms that pages host, beside a server; duels with the host; hosts that are killed: --players --minutes --kills --seed --json",
        permissions: [],
        script: "tests/tools/lab/page_rooms/main.ts",
      },
    },
  },
  bench: {
    usual: "physics",
    commands: {
      physics: bench(
        "physics",
        "engines as ratios to stock planck; crowds, what sleeps, snapshots: --only --rounds --passes --json",
      ),
      match: bench("match", "a real server under load: --game --rooms --seconds --json"),
      workers: bench(
        "workers",
        "the same matches on one process, on several, and in a cluster: --workers --rooms --seconds --json",
      ),
      rooms: {
        about:
          "four pages in Chromium in a room that one of them hosts, and on a server: late commands and waits: --seconds --json",
        permissions: ALL,
        script: "tests/tools/page_rooms/beside_server.ts",
      },
      transport: bench(
        "transport",
        "WebSocket beside WebTransport over a bad connection: --seconds --rounds --rtt-ms --jitter-ms --loss --seed --json",
      ),
      datagrams: bench(
        "datagrams",
        "who gets datagrams, what they gain, and their cost: --rooms --seconds --seed --json",
      ),
      page: bench("page", "script time per frame in Chromium: --seconds --cpu --overlay --json"),
      wire: bench("wire", "bytes of messages: --seconds --json"),
      replay: bench(
        "replay",
        "bytes of a log, and ms of a seek in Chromium: --players --npcs --seconds --seeks --seed --json",
      ),
      log: bench("log", "what the log costs a tick: --matches --seconds --json"),
      stalls: bench(
        "stalls",
        "commands that arrive while signals stop the server: --stalls --seed --json",
      ),
      feel: bench(
        "feel",
        "what a person sees of seven others in Chromium: --minutes --lines --input-delay --json",
      ),
      causes: bench(
        "causes",
        "corrections that the overlay gives their true cause: --seconds --corrections --seeds --cause --list --json",
      ),
      quality: {
        about:
          "what bounces, stands, slides, sinks and holds, on the stage and on three other engines, and closed rooms: --heights --seconds --engines --rooms --seed --rates --passes --json",
        permissions: READ_ENGINES,
        script: "tests/tools/quality/main.ts",
      },
      scale: {
        about:
          "a simulated cluster of up to 1,000 nodes: places for players, crashes, lost servers, a deploy: --nodes --cluster-nodes --minutes --players --crashes-per-hour --log-crashes-per-hour --seed --json",
        permissions: [],
        script: "tests/tools/scale/main.ts",
      },
    },
  },
  hunt: {
    usual: "seeds",
    commands: {
      seeds: {
        about:
          "play matches with faults in virtual time, and check rules all the time: --seeds --seconds --minutes --from --game --cluster --jobs --json",
        permissions: READ_CODE,
        script: "tests/tools/hunt/main.ts",
      },
      planted: {
        about:
          "plant one mistake after another in copies of the sources; the hunt must find each, and shrink it: --jobs --seconds --json",
        permissions: ALL,
        script: "tests/tools/hunt/planted/main.ts",
      },
    },
  },
  soak: {
    commands: {
      physics: {
        about:
          "roll the stage back until a million ticks are compared: --ticks --seed --jobs --json",
        permissions: READ_TESTS,
        script: "tests/tools/soak/physics.ts",
      },
      snapshots: {
        about:
          "spoil 40,000 snapshots; the stage must refuse each, or load it as it is. With --games NAMES or all, make 20,000 hostile states of each game; it must refuse each, or step it: --games --count --seed --json",
        permissions: READ_TESTS,
        script: "tests/tools/soak/snapshots.ts",
      },
      log: {
        about:
          "flip 10,000 bits of a match's log, and end it at every byte; a reader must find each in its record: --flips --seconds --seed --json",
        permissions: READ_CODE,
        script: "tests/tools/soak/log.ts",
      },
      page: {
        about:
          "watch for a minute how a page in Chromium moves the dragons, its own and others: --seconds --json",
        permissions: ALL,
        script: "tests/tools/soak/page.ts",
      },
      session: {
        about:
          "play the dragons for ten minutes by keys, in a page 100 ms away, and list what each minute had that the first one had not: --minutes --rtt --npcs --seed --json",
        permissions: ALL,
        script: "tests/tools/soak/session/main.ts",
      },
      server: {
        about:
          "load a server to its limit, stop it, restart it, and let clients come and go for minutes: --only --minutes --transport --arrivals --seed --json",
        permissions: ALL,
        script: "tests/tools/soak/server.ts",
      },
    },
  },
  vectors: {
    usual: "write",
    commands: {
      write: {
        about:
          "write the vectors of the protocol, for tests of clients in other languages, into tests/vectors: --json",
        permissions: WRITE_VECTORS,
        script: "tests/tools/vectors/main.ts",
      },
      planted: {
        about:
          "plant one mistake after another in copies of the sources; the vectors must catch each: --jobs --json",
        permissions: ALL,
        script: "tests/tools/vectors/planted/main.ts",
      },
    },
  },
  chaos: {
    commands: {
      attack: {
        about:
          "attack a live server while honest players play beside, and show that nobody feels it: --only NAMES --quick --untimed --list --seed --server-flags --json",
        permissions: ALL,
        script: "tests/tools/attack/main.ts",
      },
      crash: {
        about:
          "kill a real server again and again under eight bots: no tick may be lost or changed: --kills --workers --seed --untimed --json",
        permissions: ALL,
        script: "tests/tools/crash/main.ts",
      },
      cluster: {
        about:
          "kill, pause and cut off nodes and nats-servers of a real cluster under eight bots: --kills --only --seed --untimed --busy --json",
        permissions: ALL,
        script: "tests/tools/cluster/main.ts",
      },
      edge: {
        about:
          "ruin connections of pages in Chromium at each of their stages, shown and hidden: each has to be back in its seat: --only --pages --json",
        permissions: ALL,
        script: "tests/tools/edge/main.ts",
      },
      demand: {
        about:
          "double and halve the players of a cluster: a program has to start a machine, and to drain it: --json",
        permissions: ALL,
        script: "tests/tools/demand/main.ts",
      },
      machines: {
        about:
          "kill a process and then a machine under a page in Chromium, on three machines that are network namespaces; needs root and iproute2: --shots --untimed --json",
        permissions: ALL,
        script: "tests/tools/machines/main.ts",
      },
      pages: {
        about:
          "kill the page in Chromium that hosts a room, again and again, while three others play in it: --kills --untimed --json",
        permissions: ALL,
        script: "tests/tools/page_rooms/main.ts",
      },
    },
  },
  prove: {
    commands: {
      game: {
        about:
          "check one game: types, lint, rollbacks, codec, hostile states, a lab match, and all engines: NAME",
        permissions: ALL,
        script: "tests/tools/check_game/check_game.ts",
      },
      determinism: {
        about:
          "run the same ticks in Deno, as a bundle, in Node, Chromium, Firefox, JavaScriptCore and on arm64, and compare them bit by bit: --game --ticks --seed --engines --table --json",
        permissions: ALL,
        script: "tests/tools/determinism/main.ts",
      },
      "other-client": {
        about:
          "prove a client in another language against a real server: --seconds --rtt --stream --seed --taken --client --json",
        permissions: ALL,
        script: "tests/tools/other_client/main.ts",
      },
      same: {
        about:
          "compare with another checkout: golden hashes, wire vectors, rows of the lab, keys of --json: --with --only --minutes --seed --live --json",
        permissions: ["--allow-read", RUN_DENO],
        script: "tests/tools/same/main.ts",
      },
    },
  },
  chore: {
    commands: {
      docs: {
        about:
          "write docs/reference.md from docstrings, and the limits in docs/hosting.md from the settings",
        permissions: [
          "--allow-read=.",
          "--allow-write=docs,llms.txt,AGENTS.md,server/package/host_settings.ts",
          "--allow-run",
        ],
        script: "tests/docs/main.ts",
      },
      tidy: {
        about:
          "fail for broken walls, import circles, dead exports, dangling references and missing docstrings; measure words, lengths and the air in functions, with --root those of any folder: --root --list --json",
        permissions: ["--allow-read", RUN_DENO],
        script: "tests/tidy/main.ts",
      },
      picture: {
        about:
          "record README's moving picture, two pages in Chromium over 200 ms; needs img2webp of Debian's package webp: --out --length --play --fps --slowdown --seed --frames --json",
        permissions: ALL,
        script: "tests/tools/picture/main.ts",
      },
      scenes: {
        about:
          "take the pictures of games for their list and for previews of links, in Chromium; needs img2webp: --games --length --fps --slowdown",
        permissions: ALL,
        script: "tests/tools/picture/scenes.ts",
      },
      icons: {
        about: "draw the icons of games as PNG files, for installed pages, in Chromium: --games",
        permissions: ALL,
        script: "tests/tools/picture/icons.ts",
      },
    },
  },
};
