/**
 * Careless mistakes of an author, planted one by one in `coins.ts`, with who refuses each and in
 * what words. `{file}` stands for the path of the game with the mistake.
 */

/**
 * A check that refuses a mistake. "types" is `deno task check`, "lint" is `deno lint`. "definition"
 * is `defineGame`, when the game is loaded. "step" is the first tick that makes the mistake. "twin"
 * is `serve --check-twin`, as in `deno task dev`.
 */
export type Refuser = "types" | "lint" | "definition" | "step" | "twin";

export interface Mistake {
  /** A few words, which also name the planted game. */
  readonly name: string;
  /** Texts of `coins.ts` and what takes their places. */
  readonly edits: readonly (readonly [from: string, to: string])[];
  /**
   * The checks that refuse it, each with patterns of its words, as regular expressions. No other
   * check does.
   */
  readonly refused: Readonly<Partial<Record<Refuser, readonly string[]>>>;
}

const DRIVE = "world.applyForce(me, 8 * input.dx, 0);";
/** Adds a line to `drive`. */
const inDrive = (line: string) => [DRIVE, `${DRIVE}\n    ${line}`] as const;
/** Adds a line before the game. */
const before = (line: string) =>
  ["export const game = defineGame({", `${line}\nexport const game = defineGame({`] as const;

const SCORE_DIFFERS = String
  .raw`tick \d+: entity \d+ hopper\.score is \d+ in the match, but \d+ after a rollback`;

export const MISTAKES: readonly Mistake[] = [
  {
    name: "chance",
    edits: [inDrive("me.fields.score = Math.floor(Math.random() * 200);")],
    refused: {
      lint: ["{file}:\\d+", "Math.random differs", "Use world.random\\(n\\)"],
      twin: [SCORE_DIFFERS],
    },
  },
  {
    name: "clock",
    edits: [inDrive("me.fields.score = Math.floor(performance.now() * 1000) % 251;")],
    refused: {
      lint: ["{file}:\\d+", "performance differs", "Use .*world.tick"],
      twin: [SCORE_DIFFERS],
    },
  },
  {
    name: "variable of the module",
    edits: [before("let hops = 0;"), inDrive("me.fields.score = hops++ % 251;")],
    refused: {
      lint: ["{file}:\\d+", "The module variable hops is no part of the state", "Declare a field"],
      twin: [SCORE_DIFFERS],
    },
  },
  {
    name: "variable of a closure",
    edits: [
      [
        "export const game = defineGame({",
        "function newGame() {\n  let hops = 0;\n  return defineGame({",
      ],
      inDrive("me.fields.score = hops++ % 251;"),
      [
        "{ dx: Math.sign(coin.x - me.x), jump: 1 };\n  },\n});",
        "{ dx: Math.sign(coin.x - me.x), jump: 1 };\n  },\n});\n}\nexport const game = newGame();",
      ],
    ],
    refused: { twin: [SCORE_DIFFERS] },
  },
  {
    name: "map in the order of its history",
    edits: [
      before("const seen = new Map<number, number>();"),
      inDrive("seen.delete(me.seat);\n    if (input.dx > 0) seen.set(me.seat, 1);"),
      inDrive("me.fields.score = [...seen.keys()].indexOf(me.seat) + 1;"),
    ],
    refused: {
      lint: [
        "{file}:\\d+",
        "A function changes seen",
        "The order of seen depends on what was added when",
      ],
      twin: [SCORE_DIFFERS],
    },
  },
  {
    name: "impure assume",
    edits: [
      ["export const game = defineGame({", "const made = defineGame({"],
      [
        "jump: 1 };\n  },\n});",
        "jump: 1 };\n  },\n});\nconst calls = { count: 0 };\nexport const game = {\n  ...made,\n  assume(last: Parameters<typeof made.assume>[0]) {\n    calls.count++;\n    return made.commandOf({ dx: calls.count % 3 - 1 }, last ?? made.command.neutral);\n  },\n};",
      ],
    ],
    refused: {
      lint: ["{file}:\\d+", "A function changes calls"],
      twin: ['tick \\d+: assume\\(\\) gives .*"dx":.* for the same command'],
    },
  },
  {
    name: "native sine",
    edits: [inDrive("world.applyForce(me, Math.sin(world.tick), 0);")],
    refused: { lint: ["{file}:\\d+", "Math.sin differs", "Use import { sin, cos"] },
  },
  {
    name: "native hypot",
    edits: [inDrive("world.applyForce(me, Math.hypot(me.x, me.y), 0);")],
    refused: { lint: ["{file}:\\d+", "Math.hypot differs", "Use Math.sqrt\\(x \\* x"] },
  },
  {
    name: "undeclared field",
    edits: [inDrive("me.fields.lives = 3;")],
    refused: {
      types: ["{file}:\\d+", "Property 'lives' does not exist on type"],
      step: ["lives"],
    },
  },
  {
    name: "misspelt field of what is touched",
    edits: [["coin.fields.worth);", "coin.fields.wort);"]],
    refused: {
      types: ["{file}:\\d+", "Property 'wort' does not exist on type"],
      step: ["hopper\\.score"],
    },
  },
  {
    name: "value out of a field's range",
    edits: [inDrive("me.fields.score = 300;")],
    refused: {
      step: [
        "hopper\\.score is 300 in hopper \\d+; a u8 holds whole numbers, 0 … 255, so it stays 255",
        "written in {file}:\\d+",
      ],
    },
  },
  {
    name: "impulse that is no number",
    edits: [inDrive("world.applyImpulse(me, (me.x - me.x) / 0, 1);")],
    refused: { step: ["hopper", "NaN"] },
  },
  {
    name: "misspelt thing",
    edits: [['world.one("coin");\n    return coin', 'world.one("coins");\n    return coin']],
    refused: {
      types: ["{file}:\\d+", "Argument of type '\"coins\"' is not assignable"],
      step: ["coins"],
    },
  },
  {
    name: "misspelt event",
    edits: [['world.emit("hop", me);', 'world.emit("hopp", me);']],
    refused: {
      types: [
        "{file}:\\d+",
        '"hopp"\' is not assignable to parameter of type \'"coin" \\| "hop"\'',
      ],
      step: ["hopp"],
    },
  },
  {
    name: "misspelt word of a choice",
    edits: [['mood = "proud";', 'mood = "prod";']],
    refused: {
      types: ["{file}:\\d+", '"prod"\' is not assignable to type \'"calm" \\| "proud"'],
      step: ["prod"],
    },
  },
  {
    name: "misspelt part of the command",
    edits: [["8 * input.dx, 0", "8 * input.dex, 0"]],
    refused: { types: ["{file}:\\d+", "Property 'dex' does not exist on type"], step: ["NaN"] },
  },
  {
    name: "touch of a thing that nobody declared",
    edits: [["      coin(world, hopper, coin) {", "      coyn(world, hopper, coin) {"]],
    refused: { types: ["{file}:\\d+", "'coyn' does not exist in type"], definition: ["coyn"] },
  },
  {
    name: "misspelt rule",
    edits: [["  tick(world) {", "  tik(world) {"]],
    refused: {
      types: ["{file}:\\d+", "'tik' does not exist in type"],
      definition: ['no rule is called "tik"'],
    },
  },
  {
    name: "thing called ground",
    edits: [[
      "    coin: {\n      body:",
      '    ground: { body: { type: "static", fixtures: [{ shape: { circle: 1 } }] } },\n    coin: {\n      body:',
    ]],
    refused: { definition: ["ground"] },
  },
  {
    name: "joint without its feature",
    edits: [['player: "hopper",', 'player: "hopper",\n  joints: { rope: { type: "rope" } },']],
    refused: { definition: ["a joint needs the feature joints: add it"] },
  },
  {
    // The list of the kit does not change while rules walk it, so there is nothing to refuse.
    name: "despawn and spawn in a live loop",
    edits: [[
      "  tick(world) {",
      `  tick(world) {
    for (const coin of world.all("coin")) world.despawn(coin);
    if (world.all("coin").length > 0) throw new Error("a coin was skipped");
    world.spawn("coin");
    for (const coin of world.all("coin")) world.spawn("coin", { x: coin.x + 1 });
    if (world.all("coin").length !== 2) throw new Error("the loop walks what it spawns");`,
    ]],
    refused: {},
  },
  {
    name: "thought that is no number",
    edits: [["dx: Math.sign(coin.x - me.x), jump: 1", "dx: (me.x - me.x) / 0, jump: 1"]],
    refused: { step: ["think of hopper( \\d+)? returns dx: NaN"] },
  },
  {
    name: "rule that throws",
    edits: [inDrive('if (me.x > 2) throw new RangeError("no legs");')],
    refused: { step: ["RangeError: no legs"] },
  },
  {
    name: "five hundred spawns a tick",
    edits: [[
      "  tick(world) {",
      '  tick(world) {\n    for (let i = 0; i < 500; i++) world.spawn("coin");',
    ]],
    refused: {
      step: ["limits\\.entities: 1024\\); the newest 489 have left it, such as entity \\d+ coin"],
    },
  },
  {
    name: "thought that changes the world",
    edits: [[
      '    const coin = world.one("coin");\n    return coin ===',
      '    me.fields.score = 9;\n    const coin = world.one("coin");\n    return coin ===',
    ]],
    refused: {
      types: ["{file}:\\d+", "Cannot assign to 'score' because it is a read-only property"],
      twin: ["hopper\\.score .* before the next one\\. Only the step may change the state"],
    },
  },
];
