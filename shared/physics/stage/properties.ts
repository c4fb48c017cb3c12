/**
 * Properties of bodies that may change: an archetype declares which (`BodyDef.mutable`). Their
 * values are words of the snapshot, after the motion of each entity of that archetype. All other
 * properties are the archetype's for ever.
 *
 *     words of an entity = motion | properties | fields
 *
 * A chain is one fixture, and all its segments have its values.
 */
import { Body, BodyFlag, BodyInt, MotionType } from "../core/body_rows.ts";
import { checkRange } from "../core/declaration_checks.ts";
import { allFixturesOf, Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import {
  type BodyDef,
  type BodyType,
  type MutableProperty,
  type PropertyTypes,
  StageError,
} from "../core/types.ts";
import type { BodyTemplate, World } from "../dynamics/world.ts";
import type { PropertyWords } from "../snapshot/layout.ts";
import {
  bodyFlag,
  type ChangedStage,
  fixtureFlags,
  relistFixtures,
  remass,
  setBodyFlag,
  setFixtureFlags,
  settle,
  SWITCHES_PER_WORD,
} from "./body_changes.ts";
import type { MutableWord, PropertyCompiler } from "./compiled_archetypes.ts";
import type { Snapshot } from "../../snapshot.ts";
import { BodyRecord, type Entity } from "./entity.ts";
import { requireRecord } from "./entity_checks.ts";
import { gravityWordsOf, setGravity } from "./gravity.ts";
import type { StageState } from "./internals.ts";

/**
 * Where a property is:
 *
 * | of         | place                                                        | words                  |
 * | ---------- | ------------------------------------------------------------ | ---------------------- |
 * | `body`     | a number of the body's row                                   | one                    |
 * | `type`     | the body's `MotionType`                                      | one                    |
 * | `flag`     | a `BodyFlag`                                                 | one, 0 or 1            |
 * | `fixture`  | a number of each fixture's row                               | one for each fixture   |
 * | `switches` | a `FixtureFlag`; `isOffBySet` if that says the opposite      | a bit for each fixture |
 */
type Place =
  & { readonly type: MutableWord["type"]; readonly min: number; readonly max: number }
  & (
    | { readonly of: "body" | "fixture" | "flag"; readonly at: number }
    | { readonly of: "switches"; readonly at: number; readonly isOffBySet: boolean }
    | { readonly of: "type" }
  );

const LARGE = 1e5;
const BITS = 0xffff;
const ofBody = (at: number, min: number): Place => ({
  of: "body",
  at,
  type: "f32",
  min,
  max: LARGE,
});
const ofFixture = (at: number, max: number): Place => ({
  of: "fixture",
  at,
  type: max === BITS ? "u16" : "f32",
  min: 0,
  max,
});
const flag = (at: number): Place => ({ of: "flag", at, type: "u8", min: 0, max: 1 });
const switches = (at: number, isOffBySet: boolean): Place => ({
  of: "switches",
  at,
  isOffBySet,
  type: "u16",
  min: 0,
  max: BITS,
});

/** In the order of their words. */
const PLACES: Readonly<Record<MutableProperty, Place>> = {
  gravityScale: ofBody(Body.GRAVITY_SCALE, -LARGE),
  linearDamping: ofBody(Body.LINEAR_DAMPING, 0),
  angularDamping: ofBody(Body.ANGULAR_DAMPING, 0),
  friction: ofFixture(Fixture.FRICTION, LARGE),
  restitution: ofFixture(Fixture.RESTITUTION, 1),
  category: ofFixture(FixtureInt.CATEGORY, BITS),
  mask: ofFixture(FixtureInt.MASK, BITS),
  type: { of: "type", type: "u8", min: MotionType.STATIC, max: MotionType.DYNAMIC },
  bullet: flag(BodyFlag.BULLET),
  fixedRotation: flag(BodyFlag.FIXED_ROTATION),
  sensor: switches(FixtureFlag.SENSOR, false),
  enabled: switches(FixtureFlag.OFF, true),
};

/** In the order of `MotionType`. */
const TYPES: readonly BodyType[] = ["static", "kinematic", "dynamic"];

/** @throws StageError for a property that is unknown, listed twice, or of no use to the body */
function compileWords(
  def: BodyDef,
  { values, fixtures }: BodyTemplate,
  owner: string,
): readonly MutableWord[] {
  const { mutable = [], path, fixedRotation } = def;
  for (const [i, property] of mutable.entries()) {
    const isKnown = Object.hasOwn(PLACES, property) && mutable.indexOf(property) === i;
    if (!isKnown) {
      throw new StageError(`${owner}.mutable has ${property}, which is unknown or there twice`);
    }
    const isSettled = (property === "type" && path !== undefined) ||
      ((property === "type" || property === "fixedRotation") && fixedRotation === "upright");
    if (isSettled) {
      const why = path === undefined ? "is upright" : "is on a path";
      throw new StageError(`${owner}.mutable has ${property}, but the body ${why}`);
    }
  }

  const words: MutableWord[] = [];
  const count = 1 + Math.max(-1, ...fixtures.map(({ ints }) => ints[FixtureInt.DECLARED_INDEX]!));
  for (
    const property of (Object.keys(PLACES) as MutableProperty[]).filter((each) =>
      mutable.includes(each)
    )
  ) {
    const place = PLACES[property];
    const { type } = place;

    // The declared values must survive a snapshot, too.
    if (place.of === "body") values[place.at] = Math.fround(values[place.at]!);
    else if (place.of === "fixture" && type === "f32") {
      for (const fixture of fixtures) {
        fixture.values[place.at] = Math.fround(fixture.values[place.at]!);
      }
    }

    const hasFixtures = place.of === "fixture" || place.of === "switches";
    const step = place.of === "switches" ? SWITCHES_PER_WORD : 1;
    if (!hasFixtures) words.push({ property, fixture: -1, type, max: place.max });
    else {
      for (let fixture = 0; fixture < count; fixture += step) {
        const left = count - fixture;
        const isPartly = place.of === "switches" && left < SWITCHES_PER_WORD;
        words.push({ property, fixture, type, max: isPartly ? (1 << left) - 1 : place.max });
      }
    }
  }

  return words;
}

/** The value of one word of a body. */
function read(world: World, row: number, { property, fixture, max }: MutableWord): number {
  const { bodies, fixtures } = world;
  const place = PLACES[property];
  switch (place.of) {
    case "body":
      return bodies.values[row * Body.STRIDE + place.at]!;
    case "type":
      return bodies.ints[row * BodyInt.STRIDE + BodyInt.TYPE]!;
    case "flag":
      return bodyFlag(world, row, place.at);
    case "switches": {
      const bits = fixtureFlags(world, row, fixture, place.at);
      return place.isOffBySet ? max & ~bits : bits;
    }
    case "fixture": {
      const found = firstPartOf(world, row, fixture);
      return place.type === "f32"
        ? fixtures.values[found * Fixture.STRIDE + place.at]!
        : fixtures.ints[found * FixtureInt.STRIDE + place.at]!;
    }
  }
}

/** Writes one word. What follows from it is up to `apply`. */
function write(
  stage: ChangedStage,
  row: number,
  { property, fixture }: MutableWord,
  value: number,
) {
  const { world, contacts } = stage;
  const { bodies, fixtures } = world;
  const place = PLACES[property];
  switch (place.of) {
    case "body":
      bodies.values[row * Body.STRIDE + place.at] = value;
      break;
    case "type":
      contacts.retype(row, value);
      break;
    case "flag":
      setBodyFlag(world, row, place.at, value);
      break;
    case "switches":
      setFixtureFlags(world, row, fixture, {
        flag: place.at,
        bits: place.isOffBySet ? ~value : value,
      });
      break;
    case "fixture": {
      const { ints, values } = fixtures;
      for (const part of partsOf(world, row, fixture)) {
        if (place.type === "f32") values[part * Fixture.STRIDE + place.at] = value;
        else ints[part * FixtureInt.STRIDE + place.at] = value;
      }
    }
  }
}

/**
 * Writes words of a body, and all that follows from them: mass, contacts, joints. All that touch the
 * body wake.
 * @param options.isLoading whether the pose and the motion of a snapshot follow
 */
function apply(
  stage: ChangedStage,
  record: BodyRecord,
  changes: readonly (readonly [word: MutableWord, value: number])[],
  options: { readonly isLoading: boolean },
): void {
  const { world, contacts } = stage;
  const has = (...properties: MutableProperty[]) =>
    changes.some(([{ property }]) => properties.includes(property));
  for (const [word, value] of changes) write(stage, record.row, word, value);
  world.edit(record.row);
  if (has("enabled")) relistFixtures(stage, record.row);
  if (has("enabled", "type", "fixedRotation")) {
    remass(stage, record, options);
    if (!options.isLoading) settle(stage, record);
  }
  contacts.refresh(record.row);
}

/** The first part of a fixture. @param index in the declaration */
function firstPartOf(world: World, row: number, index: number): number {
  return partsOf(world, row, index)[0]!;
}

/** The parts of a fixture, switched on or off, as a new list. @param index in the declaration */
function partsOf({ bodies, fixtures }: World, row: number, index: number): number[] {
  return allFixturesOf(bodies, fixtures, row).filter((part) =>
    fixtures.ints[part * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX] === index
  );
}

function readWord({ words, floats }: Snapshot, at: number, { type }: MutableWord): number {
  return type === "f32" ? floats[at]! : words[at]!;
}

/** Properties by name. */
export type PropertyValues = Partial<PropertyTypes>;

type PropertyStage = ChangedStage & Pick<StageState, "logs" | "phase">;

/** The properties of one stage's bodies. */
export class Properties {
  readonly #state: PropertyStage;

  constructor(state: PropertyStage) {
    this.#state = state;
  }

  /**
   * The present value of a property.
   * @param fixture index in the archetype's declaration
   * @throws StageError for a property that the archetype does not declare as mutable
   */
  get<Property extends MutableProperty>(
    entity: Entity,
    property: Property,
    fixture = 0,
  ): PropertyTypes[Property] {
    const record = this.#require(entity);
    const word = this.#wordsOf(record, property, fixture)[0]!;
    const value = read(this.#state.world, record.row, word);
    return valueOf(PLACES[property], value, fixture) as PropertyTypes[Property];
  }

  /**
   * Changes properties at once: friction, restitution, category, mask, `sensor` and `enabled` of
   * all fixtures, or of one. The body wakes, and so do those that touch it. Ranges are those of the
   * declaration; fractions are rounded to 32 bits.
   *
   * Contacts stay, unless the pair can have none any more. Joints stay; one that can move neither
   * of its bodies rests until it can. A body that becomes static loses its velocity, and one with
   * `fixedRotation` its spin. Its mass and centre of mass follow from the fixtures that are
   * enabled; no point of the body changes its velocity by that.
   * @param fixture index in the archetype's declaration; all fixtures if omitted
   * @throws StageError for a value out of range, or a property that the archetype does not declare
   * as mutable; then nothing has changed
   */
  set(entity: Entity, values: PropertyValues, fixture?: number): void {
    const record = this.#require(entity);
    const { world, logs, phase } = this.#state;
    const changes = new Map<MutableWord, number>();

    for (const [property, value] of Object.entries(values) as [MutableProperty, unknown][]) {
      const words = this.#wordsOf(record, property, fixture);
      const number = numberOf(PLACES[property], value, `${record}.${property}`);
      for (const word of words) {
        const old = read(world, record.row, word);
        changes.set(word, wordOf(PLACES[property], { word, old, number, fixture }));
      }
    }

    phase.beginEdit();
    const changed = [...changes].filter(([word, value]) => read(world, record.row, word) !== value);
    if (changed.length === 0) return;
    logs.complete();
    apply(this.#state, record, changed, { isLoading: false });
  }

  #require(entity: Entity): BodyRecord {
    const record = requireRecord(this.#state.entities, entity);
    if (record instanceof BodyRecord) return record;
    throw new StageError(`${record} is a projectile: its properties are the archetype's`);
  }

  #wordsOf(
    record: BodyRecord,
    property: MutableProperty,
    fixture: number | undefined,
  ): readonly MutableWord[] {
    const words = record.compiled.mutable.filter((word) => word.property === property);
    if (words.length === 0) {
      throw new StageError(`${record}: its archetype does not declare ${property} as mutable`);
    }
    if (fixture === undefined || words[0]!.fixture < 0) return words;
    const { fixtures } = record.compiled.archetype.body!;
    const isSwitch = PLACES[property].of === "switches";
    const word = words[isSwitch ? Math.floor(fixture / SWITCHES_PER_WORD) : fixture];
    if (word === undefined || fixtures[fixture] === undefined) {
      throw new StageError(`${record} has no fixture ${fixture}`);
    }
    return [word];
  }
}

/** @returns the number that stands for an author's value @throws StageError */
function numberOf(place: Place, value: unknown, what: string): number {
  if (place.of === "type") {
    const type = TYPES.indexOf(value as BodyType);
    if (type < 0) throw new StageError(`${what} is ${value}: static, kinematic or dynamic`);
    return type;
  }
  if (place.of === "flag" || place.of === "switches") {
    if (typeof value !== "boolean") {
      throw new StageError(`${what} is ${value}; true and false are allowed`);
    }
    return value ? 1 : 0;
  }
  const number = value as number;
  checkRange(number, what, place);
  if (place.type === "f32") return Math.fround(number) + 0;
  if (!Number.isInteger(number)) throw new StageError(`${what} is ${number}, which is no mask`);
  return number;
}

/** @returns the new value of a word: of a word of switches, with one or all of them set */
function wordOf(
  { of }: Place,
  { word, old, number, fixture }: {
    readonly word: MutableWord;
    readonly old: number;
    readonly number: number;
    readonly fixture: number | undefined;
  },
): number {
  if (of !== "switches") return number;
  const bits = fixture === undefined ? word.max : 1 << fixture % SWITCHES_PER_WORD;
  return number === 1 ? old | bits : old & ~bits;
}

/** @returns the author's value that a word stands for */
function valueOf({ of }: Place, word: number, fixture: number): PropertyTypes[MutableProperty] {
  if (of === "type") return TYPES[word]!;
  if (of === "switches") return (word >> fixture % SWITCHES_PER_WORD & 1) === 1;
  return of === "flag" ? word === 1 : word;
}

/** Properties that may change. */
export interface PropertiesFeature extends PropertyCompiler {
  create(state: ConstructorParameters<typeof Properties>[0]): Properties;
  readonly words: PropertyWords;
  /** A gravity that may change. */
  readonly gravity: typeof GRAVITY;
}

const GRAVITY = { wordsOf: gravityWordsOf, set: setGravity };

const WORDS: PropertyWords = {
  save: (world, { row, compiled: { mutable } }, { words, floats }, at) => {
    for (const [i, word] of mutable.entries()) {
      if (word.type === "f32") floats[at + i] = read(world, row, word);
      else words[at + i] = read(world, row, word);
    }
  },
  load: (stage, record, from, at, options) => {
    const { row, compiled: { mutable } } = record;
    const changes = mutable.map((word, i) => [word, readWord(from, at + i, word)] as const)
      .filter(([word, value]) => !Object.is(read(stage.world, row, word), value));
    if (changes.length > 0) apply(stage, record, changes, options);
    return changes.length > 0;
  },
  isValid: (mutable, from, at) =>
    mutable.every((word, i) => {
      const value = readWord(from, at + i, word);
      return value >= PLACES[word.property].min && value <= word.max;
    }),
};

/** The feature `properties`: archetypes of stages that list it may declare mutable properties. */
export const properties: PropertiesFeature = {
  feature: "properties",
  compileWords,
  create: (state) => new Properties(state),
  words: WORDS,
  gravity: GRAVITY,
};
