/**
 * A thing's fields as rules see them: one object for each thing, with properties that read and
 * write the stage's numbers. Reading them allocates nothing. Rules cannot assign a name that is not
 * a field, and a number that does not fit is told where they write it.
 */
import type { FieldType } from "../../body_list.ts";
import { isRepresentable } from "../../physics/core/fields.ts";
import {
  CLOCK_TYPE,
  elementField,
  type FieldOwner,
  heldNumber,
  type RawFields,
  rawValue,
  STOPWATCH_TYPE,
} from "./compiled_fields.ts";
import type { FieldKind, FieldKinds, NumberList } from "./kinds.ts";

const RAW = Symbol("raw");
const LISTS = Symbol("lists");
const CONTEXT = Symbol("context");
const ID = Symbol("id");

/** Finds the thing with this id and name, or undefined. */
export type FindThing = (id: number, name: string) => object | undefined;

/** What the fields of one simulation share. */
export interface FieldContext {
  readonly find: FindThing;
  /** Takes a sentence about a number that is held at the end of its type. */
  readonly onHeld: FieldOwner["onHeld"];
}

/** What numbers are written to. */
interface NumberAccess {
  readonly [RAW]: RawFields;
  readonly [CONTEXT]: FieldContext;
  readonly [ID]: number;
}

/** What the properties of fields read from. */
interface Access extends NumberAccess {
  readonly [LISTS]: Readonly<Record<string, object>>;
}

/** Makes the `fields` object for a thing with this declaration. @param id 0 for the match */
export type FieldAccess = (raw: RawFields, context: FieldContext, id: number) => object;

/** Prepares access to one declaration's fields. @param owner the thing's name, for errors */
export function fieldAccessOf(kinds: FieldKinds, owner: string): FieldAccess {
  // Each field becomes a property; the values stay in the stage
  const entries = Object.entries(kinds);
  const lists = entries.filter((entry): entry is [string, NumberList] => isList(entry[1]));
  const listAccess = lists.map(([name, list]) => [name, listAccessOf(name, list, owner)] as const);

  class ThingFields implements Access {
    readonly [RAW]: RawFields;
    readonly [CONTEXT]: FieldContext;
    readonly [ID]: number;
    readonly [LISTS]: Readonly<Record<string, object>>;

    constructor(raw: RawFields, context: FieldContext, id: number) {
      this[RAW] = raw;
      this[CONTEXT] = context;
      this[ID] = id;
      this[LISTS] = listAccess.length === 0 ? NO_LISTS : Object.fromEntries(
        listAccess.map(([name, access]) => [name, access(raw, context, id)]),
      );
      Object.freeze(this);
    }
  }

  for (const [name, kind] of entries) {
    Object.defineProperty(ThingFields.prototype, name, {
      enumerable: true,
      ...propertyOf(name, kind, owner),
    });
  }

  return (raw, context, id) => new ThingFields(raw, context, id);
}

const NO_LISTS = Object.freeze({});

function isList(kind: FieldKind): kind is NumberList {
  return typeof kind !== "string" && kind.kind === "list";
}

/** Defines one field's property. */
function propertyOf(
  name: string,
  kind: FieldKind,
  owner: string,
): PropertyDescriptor & ThisType<Access> {
  if (typeof kind === "string") return numberProperty(name, { type: kind, name, owner });
  if (kind.kind === "clock") return numberProperty(name, { type: CLOCK_TYPE, name, owner });
  if (kind.kind === "stopwatch") {
    return numberProperty(name, { type: STOPWATCH_TYPE, name, owner });
  }

  switch (kind.kind) {
    case "flag":
      return {
        get() {
          return this[RAW][name] === 1;
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, () => ownerOf(this, name, owner));
        },
      };
    case "choice":
      return {
        get() {
          return kind.words[this[RAW][name]!];
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, () => ownerOf(this, name, owner));
        },
      };
    case "reference":
      return {
        get() {
          const id = this[RAW][name]!;
          return id === 0 ? undefined : this[CONTEXT].find(id, kind.to);
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, () => ownerOf(this, name, owner));
        },
      };
    case "list":
      return {
        get() {
          return this[LISTS][name];
        },
      };
  }
}

/** A number as its author declares it: a field's, or that of a list's elements. */
interface DeclaredNumber {
  readonly type: FieldType;
  readonly name: string;
  /** The thing's name. */
  readonly owner: string;
}

/** @param raw the number's name on the stage */
function numberProperty(
  raw: string,
  { type, name, owner }: DeclaredNumber,
): PropertyDescriptor & ThisType<NumberAccess> {
  return {
    get() {
      return this[RAW][raw];
    },
    set(value) {
      // Nearly all fit, and then nothing is made to describe one that does not
      this[RAW][raw] = isRepresentable(type, value)
        ? value
        : heldNumber(type, value, ownerOf(this, name, owner));
    },
  };
}

function ownerOf({ [CONTEXT]: { onHeld }, [ID]: id }: NumberAccess, name: string, owner: string) {
  return { field: `${owner}.${name}`, onHeld, ...(id > 0 && { thing: `${owner} ${id}` }) };
}

/** Prepares access to one field's lists. */
function listAccessOf(name: string, { of: type, length }: NumberList, owner: string): FieldAccess {
  const elements = Array.from({ length }, (_, i) => elementField(name, i));
  class List implements NumberAccess {
    readonly [RAW]: RawFields;
    readonly [CONTEXT]: FieldContext;
    readonly [ID]: number;

    constructor(raw: RawFields, context: FieldContext, id: number) {
      this[RAW] = raw;
      this[CONTEXT] = context;
      this[ID] = id;
      Object.freeze(this);
    }

    get length(): number {
      return length;
    }

    *[Symbol.iterator](): Iterator<number> {
      for (const element of elements) yield this[RAW][element]!;
    }
  }
  for (const [i, element] of elements.entries()) {
    Object.defineProperty(List.prototype, i, {
      enumerable: true,
      ...numberProperty(element, { type, name: `${name}[${i}]`, owner }),
    });
  }
  return (raw, context, id) => new List(raw, context, id);
}
