/**
 * Compares the flags and numbers of one message with WIRE.md's grammar. A flag's value decides
 * whether the elements that hang on it follow, and a coded number how often an element is repeated.
 * Only conditions in words are left open: such elements may follow or not, and one of all ways must
 * fit the whole message.
 */
import type {
  Chances,
  Coding,
  Condition,
  CountFrom,
  Element,
  WireDocument,
} from "./wire_document.ts";

/**
 * One call of a coder: a flag with its probability, or a number with its width. The other one of
 * the two is 0.
 */
export interface Operation {
  readonly p: number;
  readonly width: number;
  /** A flag has 0 or 1. */
  readonly value: number;
}

/** A field of the game's commands, as in the schema (WIRE 2). */
export interface CommandField {
  readonly type: string;
  readonly unchanged: number;
  readonly onePress?: number | undefined;
}

export interface Matching {
  readonly isMatch: boolean;
  /** The lines of the document whose elements were found, from 0. */
  readonly lines: ReadonlySet<number>;
  /**
   * How many operations were found in their order at most, and the line of the element that had the
   * last of them.
   */
  readonly farthest: number;
  readonly farthestLine: number;
}

/** A way through the grammar up to an operation. */
interface State {
  readonly at: number;
  /** The numbers and flags so far that conditions and counts refer to. */
  readonly values: ReadonlyMap<string, number>;
  /** The row that "error X | Y" has taken in this part. */
  readonly errorRow: string | undefined;
}

/** The context of all elements of a part. */
interface PartContext {
  readonly chances?: Chances | undefined;
  readonly field?: CommandField | undefined;
}

/** The most bits of an error (WIRE 8.3). */
const ERROR_BITS_MAX = 24;
/** The most bits of a number of steps (WIRE 4). */
const STEPS_BITS_MAX = 16;
/** The flags inside numbers and errors. */
const HALF: Chances = { values: [2048], areChosenByText: false };

/** @param root the part that the message consists of */
export function matchMessage(
  operations: readonly Operation[],
  root: string,
  { document, fields }: { document: WireDocument; fields: readonly CommandField[] },
): Matching {
  return new Matcher(operations, document, fields).match(root);
}

class Matcher {
  readonly #operations: readonly Operation[];
  readonly #document: WireDocument;
  readonly #fields: readonly CommandField[];
  readonly #lines = new Set<number>();
  #farthest = 0;
  #farthestLine = 0;

  constructor(
    operations: readonly Operation[],
    document: WireDocument,
    fields: readonly CommandField[],
  ) {
    this.#operations = operations;
    this.#document = document;
    this.#fields = fields;
  }

  match(root: string): Matching {
    const begin = { at: 0, values: new Map(), errorRow: undefined };
    const ends = this.#part(root, begin, {});
    const isMatch = ends.some(({ at }) => at === this.#operations.length);
    return {
      isMatch,
      lines: this.#lines,
      farthest: this.#farthest,
      farthestLine: this.#farthestLine,
    };
  }

  #part(name: string, state: State, context: PartContext): State[] {
    const elements = this.#document.parts.get(name);
    if (elements === undefined) return [];
    const ends = this.#sequence(elements, [{ ...state, errorRow: undefined }], context);
    return ends.map((end) => ({ ...end, errorRow: state.errorRow }));
  }

  #sequence(elements: readonly Element[], states: readonly State[], context: PartContext): State[] {
    let open = [...states];
    for (const element of elements) {
      open = distinct(open.flatMap((state) => this.#element(element, state, context)));
    }
    return open;
  }

  #element({ name, coding, when, from }: Element, state: State, context: PartContext): State[] {
    if (when !== undefined && !holds(when, state.values)) return [state];
    const ends = this.#coding(coding, name, { state, context });
    if (ends.length > 0) this.#lines.add(from);
    for (const { at } of ends) {
      if (at <= this.#farthest) continue;
      this.#farthest = at;
      this.#farthestLine = from;
    }
    return ends;
  }

  /** @param name receives the value of a number or flag */
  #coding(
    coding: Coding,
    name: string,
    { state, context }: { state: State; context: PartContext },
  ): State[] {
    switch (coding.kind) {
      case "bits":
        return this.#named(name, this.#bits(state, coding.width));
      case "varint":
      case "signed":
        return this.#named(name, this.#varint(state));
      case "steps":
        return this.#steps(state);
      case "text":
        return this.#text(state, coding.bytesMax);
      case "error":
        return this.#error(state, coding.rows);
      case "part": {
        const { field } = context;
        const names = field === undefined
          ? coding.names
          : coding.names.filter((part) => part === field.type);
        return names.flatMap((part) => this.#part(part, state, { chances: coding.chances, field }));
      }
      case "flag":
        return this.#flags(coding, name, { state, context });
      case "loop":
        return this.#loop(coding, state, context);
      case "optional":
        return [state, ...this.#sequence(coding.body, [state], context)];
    }
  }

  #flags(
    coding: Coding & { kind: "flag" },
    name: string,
    { state, context }: { state: State; context: PartContext },
  ): State[] {
    const ends: State[] = [];
    for (let open = [state]; open.length > 0;) {
      const set: State[] = [];
      for (const each of open) {
        const flag = this.#flag(each, coding.chances, context);
        if (flag === undefined) continue;
        if (flag.value === 1) set.push(...this.#named(name, flag));
        else ends.push(...this.#sequence(coding.notSet, this.#named(name, flag), context));
      }
      const after = this.#sequence(coding.set, set, context);
      if (!coding.repeats) return [...ends, ...after];
      open = after;
    }
    return ends;
  }

  #loop({ times, body }: Coding & { kind: "loop" }, state: State, context: PartContext): State[] {
    if (times === "fields of the schema") {
      let states = [state];
      for (const field of this.#fields) {
        states = this.#sequence(body, states, { ...context, field });
      }
      return states;
    }
    const count = typeof times === "object" ? countFrom(times, state) : times;
    const ends: State[] = [];
    let open = [state];
    for (let i = 0; open.length > 0 && i < (count ?? this.#operations.length); i++) {
      if (count === undefined) ends.push(...open);
      open = this.#sequence(body, open, context);
    }
    return distinct([...ends, ...open]);
  }

  #flag(
    { at, ...state }: State,
    chances: Chances,
    { chances: given, field }: PartContext,
  ): { state: State; value: number } | undefined {
    const operation = this.#operations[at];
    if (operation === undefined || operation.width !== 0) return undefined;
    const isAllowed = typeof chances === "string"
      ? field?.[chances] === operation.p
      : chances.values.includes(operation.p) &&
        (!chances.areChosenByText || typeof given !== "object" ||
          given.values.includes(operation.p));
    return isAllowed ? { state: { ...state, at: at + 1 }, value: operation.value } : undefined;
  }

  #named(name: string, coded: { state: State; value: number } | undefined): State[] {
    if (coded === undefined) return [];
    const { state, value } = coded;
    return [
      this.#document.deciding.has(name)
        ? { ...state, values: new Map(state.values).set(name, value) }
        : state,
    ];
  }

  #bits({ at, ...state }: State, width: number): { state: State; value: number } | undefined {
    const operation = this.#operations[at];
    if (operation === undefined || operation.width !== width) return undefined;
    return { state: { ...state, at: at + 1 }, value: operation.value };
  }

  #varint(state: State): { state: State; value: number } | undefined {
    for (let value = 0, worth = 1, open = state;; worth *= 8) {
      const group = this.#bits(open, 3);
      const more = group && this.#flag(group.state, HALF, {});
      if (more === undefined) return undefined;
      value += group!.value * worth;
      open = more.state;
      if (more.value === 0) return { state: open, value };
    }
  }

  /** Steps whose greatest number of bits is unknown: every one that the flags allow. */
  #steps(state: State): State[] {
    return Array.from({ length: STEPS_BITS_MAX }, (_, i) => i + 1).flatMap((longest) => {
      let open: State = state;
      for (let length = 1;; length++) {
        const p = Math.floor(4096 / (longest - length + 1));
        const flag = length < longest
          ? this.#flag(open, { values: [p], areChosenByText: false }, {})
          : undefined;
        if (flag === undefined && length < longest) return [];
        open = flag?.state ?? open;
        if (flag?.value === 0) continue;
        const end = length === 1 ? open : this.#bits(open, length - 1)?.state;
        return end === undefined ? [] : [end];
      }
    });
  }

  #text(state: State, bytesMax: number): State[] {
    const length = this.#varint(state);
    if (length === undefined || length.value > bytesMax) return [];
    const bytes = this.#operations.slice(length.state.at, length.state.at + length.value);
    if (bytes.length < length.value || bytes.some(({ width }) => width !== 8)) return [];
    return [{ ...length.state, at: length.state.at + length.value }];
  }

  #error(state: State, rows: readonly string[]): State[] {
    const isTaken = state.errorRow !== undefined && rows.includes(state.errorRow);
    return (isTaken ? [state.errorRow!] : rows).flatMap((name) => {
      const end = this.#errorByRow(state, this.#document.errorRows.get(name) ?? []);
      return end === undefined ? [] : [rows.length === 1 ? end : { ...end, errorRow: name }];
    });
  }

  #errorByRow(state: State, row: readonly number[]): State | undefined {
    for (let bits = 0, open = state; bits <= ERROR_BITS_MAX; bits++) {
      const p = row[Math.min(bits, row.length - 1)];
      const flag = p === undefined
        ? undefined
        : this.#flag(open, { values: [p], areChosenByText: false }, {});
      if (flag === undefined) return undefined;
      open = flag.state;
      if (flag.value === 0) continue;
      if (bits === 0) return open;
      const sign = this.#flag(open, HALF, {})?.state;
      return bits === 1 ? sign : sign && this.#bits(sign, bits - 1)?.state;
    }
    return undefined;
  }
}

function holds({ names, value }: Condition, values: ReadonlyMap<string, number>): boolean {
  return names.every((name) => values.get(name) === value);
}

function countFrom({ name, plus }: CountFrom, { values }: State): number {
  return (values.get(name) ?? -plus) + plus;
}

/** Ways that have reached the same operation with the same values continue alike. */
function distinct(states: readonly State[]): State[] {
  if (states.length < 2) return [...states];
  const seen: State[] = [];
  for (const state of states) {
    const isSeen = seen.some(({ at, values, errorRow }) =>
      at === state.at && values === state.values && errorRow === state.errorRow
    );
    if (!isSeen) seen.push(state);
  }
  return seen;
}
