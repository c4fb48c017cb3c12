/**
 * The fields of a thing as rules see them: one object for each thing, whose properties read and
 * write the stage's numbers. Nothing is allocated when they are read. A name that is no field
 * cannot be assigned.
 */
import { elementField, type RawFields, rawValue } from "./compiled_fields.ts";
import type { FieldKind, FieldKinds, NumberList } from "./kinds.ts";

const RAW = Symbol("raw");
const LISTS = Symbol("lists");
const FIND = Symbol("find");

/** @returns the thing of this id and name, or undefined */
export type FindThing = (id: number, name: string) => object | undefined;

/** An object on which the properties of a list or of fields are defined. */
interface Access {
  readonly [RAW]: RawFields;
  readonly [FIND]: FindThing;
  readonly [LISTS]: Readonly<Record<string, object>>;
}

/** Makes the `fields` of things with the same declaration. */
export type FieldAccess = (raw: RawFields, find: FindThing) => object;

/** @param owner the thing's name, for errors */
export function fieldAccessOf(kinds: FieldKinds, owner: string): FieldAccess {
  const entries = Object.entries(kinds);

  // Plain numbers need nothing between rules and stage.
  if (entries.every(([, kind]) => typeof kind === "string" || kind.kind === "clock")) {
    return (raw) => raw;
  }

  // Other fields become properties; a thing's values stay in the stage
  const lists = entries.filter((entry): entry is [string, NumberList] => isList(entry[1]));
  const listAccess = lists.map(([name, { length }]) => [name, listAccessOf(name, length)] as const);

  class ThingFields implements Access {
    readonly [RAW]: RawFields;
    readonly [FIND]: FindThing;
    readonly [LISTS]: Readonly<Record<string, object>>;

    constructor(raw: RawFields, find: FindThing) {
      this[RAW] = raw;
      this[FIND] = find;
      this[LISTS] = Object.fromEntries(listAccess.map(([name, access]) => [name, access(raw)]));
      Object.freeze(this);
    }
  }

  for (const [name, kind] of entries) {
    Object.defineProperty(ThingFields.prototype, name, {
      enumerable: true,
      ...propertyOf(name, kind, owner),
    });
  }

  return (raw, find) => new ThingFields(raw, find);
}

function isList(kind: FieldKind): kind is NumberList {
  return typeof kind !== "string" && kind.kind === "list";
}

/** The property of one field. */
function propertyOf(
  name: string,
  kind: FieldKind,
  owner: string,
): PropertyDescriptor & ThisType<Access> {
  if (typeof kind === "string" || kind.kind === "clock") return numberProperty(name);
  const field = `${owner}.${name}`;

  switch (kind.kind) {
    case "flag":
      return {
        get() {
          return this[RAW][name] === 1;
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, field);
        },
      };
    case "choice":
      return {
        get() {
          return kind.words[this[RAW][name]!];
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, field);
        },
      };
    case "reference":
      return {
        get() {
          const id = this[RAW][name]!;
          return id === 0 ? undefined : this[FIND](id, kind.to);
        },
        set(value) {
          this[RAW][name] = rawValue(kind, value, field);
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

function numberProperty(name: string): PropertyDescriptor & ThisType<Pick<Access, typeof RAW>> {
  return {
    get() {
      return this[RAW][name];
    },
    set(value) {
      this[RAW][name] = value;
    },
  };
}

/** Makes the lists of one field. */
function listAccessOf(name: string, length: number): (raw: RawFields) => object {
  const elements = Array.from({ length }, (_, i) => elementField(name, i));
  class List {
    readonly [RAW]: RawFields;

    constructor(raw: RawFields) {
      this[RAW] = raw;
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
    Object.defineProperty(List.prototype, i, { enumerable: true, ...numberProperty(element) });
  }
  return (raw) => new List(raw);
}
