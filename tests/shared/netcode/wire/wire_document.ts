/**
 * Reads the tables and `wire` blocks of WIRE.md by their notation (WIRE 4). The result is a
 * grammar: the elements of each message in their order, with all widths and probabilities. A line
 * that the notation lacks is an error.
 */

/** The probabilities that a flag may have: given ones, or a chance of the schema's field. */
export type Chances =
  | {
    readonly values: readonly number[];
    /** "p in {…}": the text chooses one of them. */
    readonly areChosenByText: boolean;
  }
  | "unchanged"
  | "onePress";

/** The value of a row: the coded number plus 1 for a row "number of … − 1". */
export interface CountFrom {
  readonly name: string;
  readonly plus: number;
}

export type Coding =
  | { readonly kind: "bits"; readonly width: number }
  | { readonly kind: "varint" | "signed" | "steps" }
  | { readonly kind: "text"; readonly bytesMax: number }
  | { readonly kind: "error"; readonly rows: readonly string[] }
  /** One of these parts. The probabilities restrict the part's "p in {…}". */
  | {
    readonly kind: "part";
    readonly names: readonly string[];
    readonly chances: Chances | undefined;
  }
  | {
    readonly kind: "flag";
    readonly chances: Chances;
    /** The elements that follow if it is set, and if it is not. */
    readonly set: readonly Element[];
    readonly notSet: readonly Element[];
    /** While it is set, the flag follows again. */
    readonly repeats: boolean;
  }
  /** Elements that are repeated; without a number, as often as the text says. */
  | {
    readonly kind: "loop";
    readonly times: number | "fields of the schema" | CountFrom | undefined;
    readonly body: readonly Element[];
  }
  /** Elements with a condition that only the text explains. */
  | { readonly kind: "optional"; readonly body: readonly Element[] };

/** All these elements are present and have this value; that of a flag is 0 or 1. */
export interface Condition {
  readonly names: readonly string[];
  readonly value: number;
}

export interface Element {
  readonly name: string;
  readonly coding: Coding;
  readonly when: Condition | undefined;
  /** Its lines in the document: from the first up to, but without, the last. From 0. */
  readonly from: number;
  readonly to: number;
}

/** A width, bound or probability. */
export interface NumberPlace {
  readonly line: number;
  readonly column: number;
  readonly digits: string;
}

export interface WireDocument {
  /** The tables and parts of blocks, by name. */
  readonly parts: ReadonlyMap<string, readonly Element[]>;
  /** The probabilities of errors, by the name of their row. */
  readonly errorRows: ReadonlyMap<string, readonly number[]>;
  /** All numbers in codings, in columns p and in rows of errors. */
  readonly numbers: readonly NumberPlace[];
  /** The names of elements whose values decide whether, or how often, others follow. */
  readonly deciding: ReadonlySet<string>;
}

const TABLE = /^Table `(.+)`:$/;
const TABLE_HEAD = "field,coding,p,when";
const ERROR_TABLE_HEAD = /^\| row +\| probabilities/;
/** The numbers in a coding, but not those in names and in the text beside it. */
const CODED_NUMBER = /(?<=\bflag |≤ |= 0 … |\{[\d, ]*)\d+|\d+(?= bits\b)|(?<=, )\d+$/g;
const CHANCES = String.raw`p in \{[\d, ]+\}|\d+|unchanged|onePress`;
const FLAG_LINE = new RegExp(String.raw`^(if |while |)flag (${CHANCES}): (.+)$`);
const CODING = new RegExp(String.raw`^(.+?)(?:, (${CHANCES}))?$`);

interface Cell {
  readonly text: string;
  readonly column: number;
}

/** @throws Error for a line that the notation lacks */
export function parseWireDocument(lines: readonly string[]): WireDocument {
  return new DocumentReader(lines).read();
}

class DocumentReader {
  readonly #lines: readonly string[];
  readonly #parts = new Map<string, readonly Element[]>();
  readonly #errorRows = new Map<string, readonly number[]>();
  readonly #numbers: NumberPlace[] = [];
  readonly #deciding = new Set<string>();

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): WireDocument {
    this.#lines.forEach((line, i) => {
      const [, table] = TABLE.exec(line) ?? [];
      if (table !== undefined) this.#add(table, this.#readTable(i + 2));
      else if (line === "```wire") this.#readBlock(i + 1);
      else if (ERROR_TABLE_HEAD.test(line)) this.#readErrorRows(i + 2);
    });
    return {
      parts: this.#parts,
      errorRows: this.#errorRows,
      numbers: this.#numbers,
      deciding: this.#deciding,
    };
  }

  #add(name: string, elements: readonly Element[]): void {
    if (this.#parts.has(name)) throw new Error(`WIRE.md has two parts "${name}"`);
    this.#parts.set(name, elements);
  }

  /** @param head the line with the names of the columns */
  #readTable(head: number): Element[] {
    const names = this.#cells(head).map(({ text }) => text).join();
    if (names !== TABLE_HEAD) throw this.#error(head, "other columns");
    const elements: Element[] = [];

    for (const { line, cells } of this.#rowsFrom(head + 2)) {
      const [name, coding, p, when] = cells;
      this.#takeNumbers(line, coding!, CODED_NUMBER);
      this.#takeNumbers(line, p!, /\d+/g);
      const values = (p!.text.match(/\d+/g) ?? []).map(Number);
      const chances = values.length === 0 ? undefined : { values, areChosenByText: false };
      elements.push({
        name: name!.text,
        coding: this.#coding(line, coding!.text, { chances, before: elements.at(-1)?.name }),
        when: when!.text === "" ? undefined : this.#condition(when!.text),
        from: line,
        to: line + 1,
      });
    }

    return elements;
  }

  #readErrorRows(first: number): void {
    for (const { line, cells: [name, row] } of this.#rowsFrom(first)) {
      this.#takeNumbers(line, row!, /\d+/g);
      this.#errorRows.set(name!.text, row!.text.split(", ").map(Number));
    }
  }

  *#rowsFrom(first: number): Generator<{ line: number; cells: Cell[] }> {
    for (let line = first; this.#lines[line]?.startsWith("|"); line++) {
      yield { line, cells: this.#cells(line) };
    }
  }

  #cells(line: number): Cell[] {
    return [...this.#lines[line]!.matchAll(/(?<=\| )[^|]*(?=\|)/g)].map(({ 0: cell, index }) => ({
      text: cell.trim(),
      column: index,
    }));
  }

  #takeNumbers(line: number, { text, column }: Cell, pattern: RegExp): void {
    for (const { 0: digits, index } of text.matchAll(pattern)) {
      this.#numbers.push({ line, column: column + index, digits });
    }
  }

  #readBlock(first: number): void {
    for (let line = first; this.#lines[line] !== "```";) {
      const [, name] = /^(\w.*):$/.exec(this.#lines[line]!) ?? [];
      if (name === undefined) throw this.#error(line, "not the name of a part");
      let end = line + 1;
      while (/^ +\S/.test(this.#lines[end]!)) end++;
      this.#add(name, this.#siblings(line + 1, end));
      line = this.#lines[end] === "" ? end + 1 : end;
    }
  }

  /** The elements of these lines. A line that is indented further belongs to the line before. */
  #siblings(from: number, to: number): Element[] {
    const elements: Element[] = [];
    for (let line = from, end; line < to; line = end) {
      end = line + 1;
      while (end < to && indentOf(this.#lines[end]!) > indentOf(this.#lines[line]!)) end++;
      const text = this.#lines[line]!.trim();
      const children = this.#siblings(line + 1, end);
      if (text.startsWith("let ")) continue;
      if (text === "else:") {
        elements.push(this.#withElse(line, elements.pop(), { children, end }));
        continue;
      }
      this.#takeNumbers(line, { text, column: indentOf(this.#lines[line]!) }, CODED_NUMBER);
      elements.push({
        ...this.#lineElement(line, text, children),
        when: undefined,
        from: line,
        to: end,
      });
    }

    return elements;
  }

  #withElse(
    line: number,
    flag: Element | undefined,
    { children, end }: { children: Element[]; end: number },
  ): Element {
    if (flag?.coding.kind !== "flag" || flag.coding.repeats) {
      throw this.#error(line, "no flag before it");
    }
    return { ...flag, coding: { ...flag.coding, notSet: children }, to: end };
  }

  #lineElement(
    line: number,
    text: string,
    children: readonly Element[],
  ): Pick<Element, "name" | "coding"> {
    const [, opens, chances, meaning] = FLAG_LINE.exec(text) ?? [];
    if (chances !== undefined && (opens !== "" || children.length === 0)) {
      const name = meaning!.split(";")[0]!;
      const repeats = opens === "while ";
      return {
        name,
        coding: { kind: "flag", chances: chancesOf(chances), set: children, notSet: [], repeats },
      };
    }

    if (/^for each field of the schema:$/.test(text)) {
      return {
        name: text,
        coding: { kind: "loop", times: "fields of the schema", body: children },
      };
    }

    const [isLoop, last] = /^for (?:\w+ = 0 … (\d+)|).*:$/.exec(text) ?? [];
    if (isLoop !== undefined) {
      const times = last === undefined ? undefined : Number(last) + 1;
      return { name: text, coding: { kind: "loop", times, body: children } };
    }
    if (/^if (?!flag ).*:$/.test(text)) {
      return { name: text, coding: { kind: "optional", body: children } };
    }
    if (children.length > 0) throw this.#error(line, "nothing can belong to it");
    if (text.startsWith("part ")) return { name: "", coding: this.#coding(line, text, {}) };
    const [, name, coding] = /^(.+?): (.+)$/.exec(text) ?? [];
    if (name === undefined) throw this.#error(line, "no element");
    return { name, coding: this.#coding(line, coding!, {}) };
  }

  /**
   * A coding in a table or behind a name.
   * @param given.chances those of the column p
   * @param given.before the name of the row before
   */
  #coding(
    line: number,
    text: string,
    given: { chances?: Chances | undefined; before?: string | undefined },
  ): Coding {
    const [, plain, own] = CODING.exec(text)!;
    const chances = own === undefined ? given.chances : chancesOf(own);
    const simple = simpleCoding(line, plain!) ?? this.#flagCoding(line, plain!, chances);
    if (simple !== undefined) return simple;
    const [, parts] = /^part (.+)$/.exec(plain!) ?? [];
    if (parts !== undefined) return { kind: "part", names: parts.split(" | "), chances };
    const [, repeated] = /^repeated (.+)$/.exec(plain!) ?? [];
    const [number, minus] = /^number of .+?( − 1)?$/.exec(given.before ?? "") ?? [];
    if (repeated === undefined || number === undefined) {
      throw this.#error(line, `no coding "${text}"`);
    }
    this.#deciding.add(number);
    const body = [unnamed(line, this.#coding(line, repeated, { chances }))];
    return { kind: "loop", times: { name: number, plus: minus === undefined ? 0 : 1 }, body };
  }

  /** The codings that begin with a flag. */
  #flagCoding(line: number, text: string, given: Chances | undefined): Coding | undefined {
    const [, kind, p] = /^(flag|near|change from)(?: (\d+)$|\b)/.exec(text) ?? [];
    if (kind === undefined) return undefined;
    const chances = p === undefined ? given : chancesOf(p);
    if (chances === undefined) throw this.#error(line, "no probability");
    const rest: Coding = kind === "near"
      ? { kind: "signed" }
      : { kind: "part", names: ["difference"], chances: undefined };
    return {
      kind: "flag",
      chances,
      set: [],
      notSet: kind === "flag" ? [] : [unnamed(line, rest)],
      repeats: false,
    };
  }

  /** "X", "X is set", "X and Y are not set", "X is 2". */
  #condition(text: string): Condition {
    const [, list, value] = /^(.+?)(?: (?:is|are) (set|not set|\d+))?$/.exec(text)!;
    const names = list!.split(" and ");
    for (const name of names) this.#deciding.add(name);
    return {
      names,
      value: value === undefined || value === "set" ? 1 : value === "not set" ? 0 : Number(value),
    };
  }

  #error(line: number, what: string): Error {
    return new Error(`WIRE.md:${line + 1}: ${what}: ${this.#lines[line]}`);
  }
}

/** A part of another element: it has no lines of its own. */
function unnamed(line: number, coding: Coding): Element {
  return { name: "", coding, when: undefined, from: line, to: line };
}

function simpleCoding(line: number, text: string): Coding | undefined {
  if (text === "varint" || text === "signed" || text === "steps") return { kind: text };
  if (text === "token") {
    return { kind: "loop", times: 4, body: [unnamed(line, { kind: "bits", width: 32 })] };
  }
  if (text.startsWith("difference from ")) {
    return { kind: "part", names: ["difference"], chances: undefined };
  }
  const [, width] = /^(\d+) bits$/.exec(text) ?? [];
  if (width !== undefined) return { kind: "bits", width: Number(width) };
  const [, bytesMax] = /^text ≤ (\d+)$/.exec(text) ?? [];
  if (bytesMax !== undefined) return { kind: "text", bytesMax: Number(bytesMax) };
  const [, rows] = /^error (.+)$/.exec(text) ?? [];
  return rows === undefined ? undefined : { kind: "error", rows: rows.split(" | ") };
}

function chancesOf(text: string): Chances {
  if (text === "unchanged" || text === "onePress") return text;
  return { values: text.match(/\d+/g)!.map(Number), areChosenByText: text.startsWith("p in ") };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
