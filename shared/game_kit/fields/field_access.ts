/**
 * A thing's fields as rules see them: one object for each thing, with properties that read and
 * write the stage's numbers. Reading them allocates nothing. Rules cannot assign a name that is not
 * a field.
 */
import { elementField, type RawFields, rawValue } from "./compiled_fields.ts";
import type { FieldKind, FieldKinds, NumberList } from "./kinds.ts";

const RAW = Symbol("raw");
const LISTS = Symbol("lists");
const FIND = Symbol("find");

/** Finds the thing with this id and name, or undefined. */
export type FindThing = (id: number, name: string) => object | undefined;

/** What the properties of a list or of fields read from. */
interface Access {
  readonly [RAW]: RawFields;
  readonly [FIND]: FindThing;
  readonly [LISTS]: Readonly<Record<string, object>>;
}

/** Makes the `fields` object for a thing with this declaration. */
export type FieldAccess = (raw: RawFields, find: FindThing) => object;

/** Prepares access to one declaration's fields. @param owner the thing's name, for errors */
export function fieldAccessOf(kinds: FieldKinds, owner: string): FieldAccess {
  const entries = Object.entries(kinds);

  // With plain numbers alone, rules use the stage's object directly.
  if (entries.every(([, kind]) => typeof kind === "string" || kind.kind === "clock")) {
    return (raw) => raw;
  }

  // Other fields become properties; the values stay in the stage
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

/** Defines one field's property. */
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

/** Prepares access to one field's lists. */
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
