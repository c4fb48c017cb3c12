/**
 * The touches that end between the physics of two ticks. What the rules part after `advance`, and
 * what has flown apart by the end of the tick, ends in the list of the next tick. So these ends are
 * part of the state:
 *
 *     ended touch = id of a | id of b | flags        ascending by (smaller key, larger key), up to the end of the snapshot
 *     flags       = fixture of a | fixture of b << 8 | archetype of a << 16 | archetype of b << 24
 *
 * The archetypes are there because either of the two may be gone by then, or have become another. A
 * contact begins to touch in physics alone, so each pair of fixtures ends at most once in between:
 * there are at most as many rows as a stage may have contacts.
 */
import { Contact, ContactInt } from "../core/contact_rows.ts";
import { fixtureOfKey, idOfKey, proxyKey } from "../core/proxy_key.ts";
import type { World } from "../dynamics/world.ts";
import { ContactWord, type EndedTouchCheck } from "../snapshot/layout.ts";
import { mayBeDynamic } from "../stage/compiled_archetypes.ts";
import { recordOf } from "../stage/entity.ts";
import { refuseIf, type Snapshot } from "../../snapshot.ts";

/**
 * An ended touch: the keys of its two fixtures, and the indices of the archetypes that their
 * entities had.
 */
export interface EndedTouch {
  readonly lowKey: number;
  readonly highKey: number;
  readonly archetypeA: number;
  readonly archetypeB: number;
}

/** The ends that the list of the next tick will have. */
export class EndedTouches {
  /** In no order. */
  #list: EndedTouch[] = [];

  /** Adds the end of a contact that is about to vanish. */
  add(world: World, contact: number): void {
    const { values, ints } = world.contacts;
    const v = contact * Contact.STRIDE;
    const k = contact * ContactInt.STRIDE;
    const lowKey = values[v + Contact.LOW_KEY]!;
    const highKey = values[v + Contact.HIGH_KEY]!;
    const one = recordOf(world, ints[k + ContactInt.BODY_A]!);
    const other = recordOf(world, ints[k + ContactInt.BODY_B]!);
    // The contact has them in the order of their shapes.
    const [a, b] = one.id === idOfKey(lowKey) ? [one, other] : [other, one];
    this.#list.push({
      lowKey,
      highKey,
      archetypeA: a.compiled.index,
      archetypeB: b.compiled.index,
    });
  }

  /** @returns all of them, ascending by their keys; there are none afterwards */
  take(): readonly EndedTouch[] {
    const list = this.#sorted();
    this.#list = [];
    return list;
  }

  /** Forgets all of them: a list of bodies from outside has none. */
  clear(): void {
    this.#list = [];
  }

  /** Appends their words. */
  save(into: Snapshot): void {
    const list = this.#sorted();
    into.reserve(into.length + ContactWord.COUNT * list.length);
    const { words } = into;
    for (const { lowKey, highKey, archetypeA, archetypeB } of list) {
      words[into.length + ContactWord.ENTITY_A] = idOfKey(lowKey);
      words[into.length + ContactWord.ENTITY_B] = idOfKey(highKey);
      words[into.length + ContactWord.FLAGS] = fixtureOfKey(lowKey) | fixtureOfKey(highKey) << 8 |
        archetypeA << 16 |
        archetypeB << 24;
      into.length += ContactWord.COUNT;
    }
  }

  /** Reads words that were checked. @param at index of the first one */
  load({ words, length }: Snapshot, at: number): void {
    this.#list = [];
    for (let row = at; row < length; row += ContactWord.COUNT) this.#list.push(touchAt(words, row));
  }

  #sorted(): EndedTouch[] {
    return this.#list.sort((one, other) =>
      one.lowKey - other.lowKey || one.highKey - other.highKey
    );
  }
}

function touchAt(words: Uint32Array, row: number): EndedTouch {
  const flags = words[row + ContactWord.FLAGS]!;
  return {
    lowKey: proxyKey(words[row + ContactWord.ENTITY_A]!, flags & 0xff),
    highKey: proxyKey(words[row + ContactWord.ENTITY_B]!, flags >>> 8 & 0xff),
    archetypeA: flags >>> 16 & 0xff,
    archetypeB: flags >>> 24,
  };
}

/**
 * Checks hostile words from `at` on.
 * @throws SnapshotError for ends that no stage of this declaration can have
 */
export function checkEndedTouches(
  from: Snapshot,
  at: number,
  { archetypes, limits, nextId }: EndedTouchCheck,
): void {
  const { words, length } = from;
  const count = (length - at) / ContactWord.COUNT;
  refuseIf(!Number.isInteger(count), "is too long, or ends within an ended touch");
  refuseIf(count > limits.contacts, "has too many ended touches");
  let before: EndedTouch | undefined;

  for (let row = at; row < length; row += ContactWord.COUNT) {
    const { lowKey, highKey, archetypeA, archetypeB } = touchAt(words, row);
    const idA = idOfKey(lowKey);
    const idB = idOfKey(highKey);
    const a = archetypes[archetypeA];
    const b = archetypes[archetypeB];

    // Two entities that there may be
    refuseIf(idA >= idB || idB >= nextId, "has an ended touch of nobody");
    // Only the ground is of archetype 0.
    refuseIf(
      (idA === 0) !== (archetypeA === 0) || archetypeB === 0,
      "has an ended touch with the ground's archetype",
    );

    // Fixtures of them that can touch
    const bodyA = a?.body;
    const bodyB = b?.body;
    const isThere = bodyA !== undefined && bodyB !== undefined &&
      fixtureOfKey(lowKey) < bodyA.fixtures.length && fixtureOfKey(highKey) < bodyB.fixtures.length;
    refuseIf(!isThere, "has an ended touch of fixtures that are not there");
    refuseIf(
      !mayBeDynamic(a!) && !mayBeDynamic(b!),
      "has an ended touch of two that cannot touch",
    );

    // In order
    const isAfter = before === undefined || before.lowKey < lowKey ||
      before.lowKey === lowKey && before.highKey < highKey;
    refuseIf(!isAfter, "has ended touches out of order");
    before = { lowKey, highKey, archetypeA, archetypeB };
  }
}

/** The labels of the words from `at` on. */
export function labelsOfEndedTouches({ words, length }: Snapshot, at: number): string[] {
  const labels: string[] = [];
  for (let row = at; row < length; row += ContactWord.COUNT) {
    const { lowKey, highKey } = touchAt(words, row);
    const owner = `ended touch ${idOfKey(lowKey)}:${fixtureOfKey(lowKey)}-${idOfKey(highKey)}:${
      fixtureOfKey(highKey)
    }`;
    labels.push(...["entity A", "entity B", "shape"].map((name) => `${owner} ${name}`));
  }
  return labels;
}
