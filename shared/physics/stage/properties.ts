/**
 * Properties of bodies that may change: an archetype declares which (`BodyDef.mutable`). Their
 * values are words of the snapshot, after the motion of each entity of that archetype. All other
 * properties are the archetype's for ever.
 *
 *     words of an entity = motion | properties of the body | properties of each fixture | fields
 *
 * A chain is one fixture, and all its segments have its values.
 */
import { Body, BodyInt, NONE } from "../core/body_rows.ts";
import { checkRange } from "../core/declaration_checks.ts";
import { Fixture, FixtureInt } from "../core/fixture_rows.ts";
import { type MutableProperty, StageError } from "../core/types.ts";
import type { BodyTemplate, World } from "../dynamics/world.ts";
import type { PropertyWords } from "../snapshot/layout.ts";
import type { MutableWord, PropertyCompiler } from "./compiled_archetypes.ts";
import type { Snapshot } from "../../snapshot.ts";
import { BodyRecord, type Entity } from "./entity.ts";
import { requireRecord } from "./entity_checks.ts";
import type { StageState } from "./internals.ts";

/**
 * The place of a property: in the body's row or in the fixtures', in `values` or in `ints`; and its
 * range.
 */
interface Place {
  readonly at: number;
  readonly isFixture: boolean;
  readonly isInt: boolean;
  readonly min: number;
  readonly max: number;
}

const LARGE = 1e5;
const BITS = 0xffff;
const ofBody = (at: number, min: number): Place => ({
  at,
  isFixture: false,
  isInt: false,
  min,
  max: LARGE,
});
const ofFixture = (at: number, max: number): Place => ({
  at,
  isFixture: true,
  isInt: max === BITS,
  min: 0,
  max,
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
};

/** @throws StageError for a property that is unknown or listed twice */
function compileWords(
  mutable: readonly MutableProperty[],
  { values, fixtures }: BodyTemplate,
  owner: string,
) {
  for (const [i, property] of mutable.entries()) {
    const isKnown = Object.hasOwn(PLACES, property) && mutable.indexOf(property) === i;
    if (!isKnown) {
      throw new StageError(`${owner}.mutable has ${property}, which is unknown or there twice`);
    }
  }

  const words: MutableWord[] = [];
  const count = 1 + Math.max(-1, ...fixtures.map(({ ints }) => ints[FixtureInt.DECLARED_INDEX]!));
  for (
    const property of (Object.keys(PLACES) as MutableProperty[]).filter((each) =>
      mutable.includes(each)
    )
  ) {
    const { at, isFixture, isInt } = PLACES[property];
    // The declared values must survive a snapshot, too.
    if (!isFixture) values[at] = Math.fround(values[at]!);
    else if (!isInt) {
      for (const fixture of fixtures) fixture.values[at] = Math.fround(fixture.values[at]!);
    }

    const type = isInt ? "u16" : "f32";
    if (!isFixture) words.push({ property, fixture: -1, type });
    else for (let fixture = 0; fixture < count; fixture++) words.push({ property, fixture, type });
  }

  return words;
}

/** The value of one word of a body. */
function read(
  { bodies, fixtures }: World,
  row: number,
  { property, fixture }: MutableWord,
): number {
  const { at, isFixture, isInt } = PLACES[property];
  if (!isFixture) return bodies.values[row * Body.STRIDE + at]!;
  const found = partOf(
    fixtures.ints,
    fixture,
    bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!,
  );
  return isInt
    ? fixtures.ints[found * FixtureInt.STRIDE + at]!
    : fixtures.values[found * Fixture.STRIDE + at]!;
}

function write(
  { bodies, fixtures }: World,
  row: number,
  { property, fixture }: MutableWord,
  value: number,
): void {
  const { at, isFixture, isInt } = PLACES[property];
  if (!isFixture) {
    bodies.values[row * Body.STRIDE + at] = value;
    return;
  }
  const { ints, values } = fixtures;
  let found = partOf(ints, fixture, bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!);
  while (found !== NONE) {
    if (isInt) ints[found * FixtureInt.STRIDE + at] = value;
    else values[found * Fixture.STRIDE + at] = value;
    found = partOf(ints, fixture, ints[found * FixtureInt.STRIDE + FixtureInt.NEXT]!);
  }
}

/**
 * The first part of a fixture, from a part of its body on; `NONE` if none follows.
 * @param index in the declaration
 */
function partOf(fixtures: Int32Array, index: number, from: number): number {
  let found = from;
  while (
    found !== NONE && fixtures[found * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX] !== index
  ) {
    found = fixtures[found * FixtureInt.STRIDE + FixtureInt.NEXT]!;
  }
  return found;
}

function readWord({ words, floats }: Snapshot, at: number, property: MutableProperty): number {
  return PLACES[property].isInt ? words[at]! : floats[at]!;
}

/** Properties by name. */
export type PropertyValues = Readonly<Partial<Record<MutableProperty, number>>>;

/** The properties of one stage's bodies. */
export class Properties {
  readonly #state: Pick<StageState, "entities" | "world" | "contacts" | "logs" | "phase">;

  constructor(state: Pick<StageState, "entities" | "world" | "contacts" | "logs" | "phase">) {
    this.#state = state;
  }

  /**
   * The present value of a property.
   * @param fixture index in the archetype's declaration
   * @throws StageError for a property that the archetype does not declare as mutable
   */
  get(entity: Entity, property: MutableProperty, fixture = 0): number {
    const record = this.#require(entity);
    return read(this.#state.world, record.row, this.#wordsOf(record, property, fixture)[0]!);
  }

  /**
   * Changes properties at once: friction, restitution, category and mask of all fixtures, or of
   * one. The body wakes, and so do those that touch it. Ranges are those of the declaration;
   * fractions are rounded to 32 bits.
   * @param fixture index in the archetype's declaration; all fixtures if omitted
   * @throws StageError for a value out of range, or a property that the archetype does not declare
   * as mutable; then nothing has changed
   */
  set(entity: Entity, values: PropertyValues, fixture?: number): void {
    const record = this.#require(entity);
    const { world, contacts, logs, phase } = this.#state;
    const changes: [word: MutableWord, value: number][] = [];

    for (const [property, value] of Object.entries(values) as [MutableProperty, number][]) {
      const words = this.#wordsOf(record, property, fixture);
      const { isInt, min, max } = PLACES[property];
      checkRange(value, `${record}.${property}`, { min, max });
      if (isInt && !Number.isInteger(value)) {
        throw new StageError(`${record}.${property} is ${value}, which is no mask`);
      }
      for (const word of words) changes.push([word, isInt ? value : Math.fround(value) + 0]);
    }

    phase.beginEdit();
    const changed = changes.filter(([word, value]) => read(world, record.row, word) !== value);
    if (changed.length === 0) return;
    logs.complete();
    for (const [word, value] of changed) write(world, record.row, word, value);
    world.edit(record.row);
    contacts.refresh(record.row);
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
    const word = words[fixture];
    if (word === undefined) throw new StageError(`${record} has no fixture ${fixture}`);
    return [word];
  }
}

/** Properties that may change. */
export interface PropertiesFeature extends PropertyCompiler {
  create(state: ConstructorParameters<typeof Properties>[0]): Properties;
  readonly words: PropertyWords;
}

const WORDS: PropertyWords = {
  save: (world, { row, compiled: { mutable } }, { words, floats }, at) => {
    for (const [i, word] of mutable.entries()) {
      if (PLACES[word.property].isInt) words[at + i] = read(world, row, word);
      else floats[at + i] = read(world, row, word);
    }
  },
  load: (world, { row, compiled: { mutable } }, from, at) => {
    let isChanged = false;
    for (const [i, word] of mutable.entries()) {
      const value = readWord(from, at + i, word.property);
      if (Object.is(read(world, row, word), value)) continue;
      write(world, row, word, value);
      isChanged = true;
    }
    return isChanged;
  },
  isValid: (mutable, from, at) =>
    mutable.every(({ property }, i) => {
      const value = readWord(from, at + i, property);
      const { min, max } = PLACES[property];
      return value >= min && value <= max;
    }),
};

/** The feature `properties`: archetypes of stages that list it may declare mutable properties. */
export const properties: PropertiesFeature = {
  feature: "properties",
  compileWords,
  create: (state) => new Properties(state),
  words: WORDS,
};
