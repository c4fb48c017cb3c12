/**
 * WIRE.md against the codecs. Real messages must fit the document's tables and blocks. Each line
 * and number of these must be needed: with any one of them changed, some message no longer fits.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertThrows } from "@std/assert";
import * as probabilities from "../../../../shared/netcode/wire/probabilities.ts";
import { rovers } from "../../../tools/vectors/games/rovers.ts";
import { type RecordedMessage, recordMessages } from "./recorded_messages.ts";
import {
  type Element,
  type NumberPlace,
  parseWireDocument,
  type WireDocument,
} from "./wire_document.ts";
import { type Matching, matchMessage, type Operation } from "./wire_matcher.ts";

type Lines = readonly string[];

const LINES: Lines = (await Deno.readTextFile(new URL("../../../../WIRE.md", import.meta.url)))
  .split("\n");
const DOCUMENT = parseWireDocument(LINES);
/** The fields of the commands that WIRE 5 describes, by the game of a message. */
const FIELDS = {
  dragons: dragonGame.description!.command,
  rovers: rovers.schema.command!,
  counter: [],
};
/** The counter game's command has two numbers, and no fields as in WIRE 5. */
const COUNTER = parseWireDocument([
  "```wire",
  "difference:",
  "  presses: 2 bits",
  "  dir + 1: 2 bits",
  "```",
]);

function match({ operations, part, game }: RecordedMessage, document: WireDocument): Matching {
  const parts = game === "counter"
    ? new Map([...document.parts, ...COUNTER.parts])
    : document.parts;
  return matchMessage(operations, part, { document: { ...document, parts }, fields: FIELDS[game] });
}

/** Messages with their matching, short ones first: they show most faults. */
const MESSAGES = recordMessages()
  .sort((a, b) => a.operations.length - b.operations.length)
  .map((message) => ({ message, matching: match(message, DOCUMENT) }));

/**
 * Whether all messages fit another document.
 * @param changed the lines of WIRE.md that are others: only messages with one of them are compared
 */
function fitsAll(lines: Lines, changed: readonly number[]): boolean {
  let document: WireDocument;
  try {
    document = parseWireDocument(lines);
  } catch {
    return false;
  }
  return MESSAGES.every(({ message, matching }) =>
    changed.every((line) => !matching.lines.has(line)) || match(message, document).isMatch
  );
}

function placeOf(line: number): string {
  return `WIRE.md:${line + 1}: ${LINES[line]!.trim()}`;
}

/** Every list of elements that follow each other. */
function* listsIn(elements: readonly Element[]): Generator<readonly Element[]> {
  yield elements;
  for (const { coding } of elements) {
    if (coding.kind === "flag") yield* [...listsIn(coding.set), ...listsIn(coding.notSet)];
    if (coding.kind === "loop" || coding.kind === "optional") yield* listsIn(coding.body);
  }
}

const LISTS = [...DOCUMENT.parts.values()].flatMap((elements) => [...listsIn(elements)]);

Deno.test("WIRE.md: every message has the elements of the tables and blocks, in their order (SPEC 10.1, 10.2, 10.3, 10.4, 12.6)", () => {
  const shown = ({ p, width, value }: Operation) =>
    width === 0 ? `flag ${p}: ${value}` : `${width} bits: ${value}`;
  const faults = MESSAGES.filter(({ matching }) => !matching.isMatch).map(
    ({ message, matching }) => {
      const { part, operations } = message;
      const { farthest, farthestLine } = matching;
      const next = operations.slice(farthest, farthest + 3).map(shown).join(", ");
      return `${part}, element ${farthest} of ${operations.length}: after ${
        placeOf(farthestLine)
      } come ${next}`;
    },
  );
  assertEquals(faults.slice(0, 5), []);
  assertGreater(MESSAGES.length, 1000);
});

/**
 * The document with another number: a probability or width that is greater by 1, or a bound that is
 * lower by 1.
 */
function withOtherNumber({ line, column, digits }: NumberPlace): Lines {
  const text = LINES[line]!;
  const isBound = text.slice(0, column).endsWith("≤ ");
  const other = Number(digits) + (isBound ? -1 : 1);
  return LINES.with(line, text.slice(0, column) + other + text.slice(column + digits.length));
}

Deno.test("WIRE.md: with any probability, width or bound changed, some message no longer fits", () => {
  const allLines = [...LINES.keys()];
  const needless = DOCUMENT.numbers.filter((place) => {
    // No element is in a row of errors: any message may use it.
    const isElement = MESSAGES.some(({ matching }) => matching.lines.has(place.line));
    return fitsAll(withOtherNumber(place), isElement ? [place.line] : allLines);
  });
  assertEquals(needless.map(({ line, digits }) => `${digits} in ${placeOf(line)}`), []);
  assertGreater(DOCUMENT.numbers.length, 120);
});

Deno.test("WIRE.md: without any of the elements, some message no longer fits", () => {
  const elements = LISTS.flat().filter(({ from, to }) => from < to);
  const needless = elements.filter(({ from, to }) =>
    fitsAll([...LINES.slice(0, from), ...LINES.slice(to)], [from])
  );
  assertEquals(needless.map(({ from }) => placeOf(from)), []);
  assertGreater(elements.length, 110);
});

/** Whether two elements are coded alike, whatever their names. */
function areEqual(...elements: [Element, Element]): boolean {
  const [a, b] = elements.map((element) =>
    JSON.stringify(
      element,
      (key, value) => ["name", "from", "to"].includes(key) ? undefined : value,
    )
  );
  return a === b;
}

/** Whether no message has both elements. */
function excludeEachOther({ when: a }: Element, { when: b }: Element): boolean {
  return a !== undefined && b !== undefined && a.value !== b.value &&
    a.names.some((name) => b.names.includes(name));
}

Deno.test("WIRE.md: with any two neighbours exchanged, some message no longer fits", () => {
  const pairs = LISTS.flatMap((list) =>
    list.slice(1).map((element, i) => [list[i]!, element] as const)
  )
    .filter(([a, b]) => !areEqual(a, b) && !excludeEachOther(a, b));
  const alike = pairs.filter(([a, b]) => {
    const rows = [[0, a.from], [b.from, b.to], [a.to, b.from], [a.from, a.to], [
      b.to,
      undefined,
    ]] as const;
    return fitsAll(rows.flatMap((range) => LINES.slice(...range)), [a.from, b.from]);
  });
  assertEquals(alike.map(([a, b]) => `${placeOf(a.from)} and ${placeOf(b.from)}`), []);
  assertGreater(pairs.length, 50);
});

/** The probabilities that the elements name. */
function namedProbabilities(): number[] {
  return LISTS.flat().flatMap(({ coding }) => {
    const chances = coding.kind === "flag" || coding.kind === "part" ? coding.chances : undefined;
    return typeof chances === "object" ? chances.values : [];
  });
}

/** The cells of the rows with this first cell. */
function cellsBehind(name: string): string[] {
  return LINES.filter((line) => new RegExp(`^\\| ${name} +\\|`).test(line)).flatMap((line) =>
    line.split("|").slice(2, -1).map((cell) => cell.trim())
  );
}

Deno.test("WIRE.md: it has every constant of probabilities.ts, as often as the constants have this value", () => {
  const constants = Object.values(probabilities);
  const rows = [...DOCUMENT.errorRows.values()].map(String);
  const numbers = constants.filter((constant) => typeof constant === "number");
  const named = namedProbabilities();
  const countOf = (list: readonly number[], p: number) => list.filter((n) => n === p).length;
  assertEquals(numbers.filter((p) => countOf(named, p) < countOf(numbers, p)), []);
  assertGreater(numbers.length, 25);

  const { P_BODY_SENT_AT_AGE } = probabilities;
  const byAge = P_BODY_SENT_AT_AGE.slice(1);
  assertEquals(
    rows.sort(),
    constants.filter((list) => Array.isArray(list) && list !== P_BODY_SENT_AT_AGE).map(String)
      .sort(),
  );
  assertEquals(
    cellsBehind("age"),
    [...byAge.keys()].map((i) => i === byAge.length - 1 ? `${i + 1} and more` : `${i + 1}`),
  );
  assertEquals(cellsBehind("p"), byAge.map(String));
});

Deno.test('WIRE.md: every probability of "p in {…}" is explained in its section', () => {
  const unexplained = LINES.flatMap((text, line) => {
    const [, choice] = /p in \{([\d, ]+)\}/.exec(LINES[line]!) ?? [];
    const begin = LINES.findLastIndex((each, i) => i < line && each.startsWith("#"));
    const end = LINES.findIndex((each, i) => i > line && each.startsWith("#"));
    const rest = LINES.slice(begin, end).filter((each) => each !== text).join("\n");
    return (choice?.split(", ") ?? []).filter((p) => !new RegExp(`\\b${p}\\b`).test(rest)).map((
      p,
    ) => `${p} of ${placeOf(line)}`);
  });
  assertEquals(unexplained, []);
});

Deno.test("parseWireDocument: lines that the notation lacks are refused", () => {
  const refused = (what: string, ...lines: string[]) =>
    assertThrows(() => parseWireDocument(lines), Error, what);
  const block = (...lines: string[]) => ["```wire", "a:", ...lines, "```"];
  const table = (
    row: string,
    head = "| field | coding | p | when |",
  ) => ["Table `a`:", "", head, "|--|--|--|--|", row];
  refused("no element", ...block("  let n = 0", "  five bits"));
  refused('no coding "5 bytes"', ...block("  x: 5 bytes"));
  refused("no flag before it", ...block("  x: 5 bits", "  else:", "    y: 5 bits"));
  refused("nothing can belong to it", ...block("  x: 5 bits", "    y: 5 bits"));
  refused("not the name of a part", "```wire", "  x: 5 bits", "```");
  refused('two parts "a"', ...block("  x: 5 bits"), ...block("  x: 5 bits"));
  refused("no probability", ...table("| x | flag | | |"));
  refused('no coding "repeated varint"', ...table("| x | repeated varint | | |"));
  refused("other columns", ...table("| x | varint | |", "| field | coding | when |"));
});
