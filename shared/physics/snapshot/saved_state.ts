/**
 * The words of the state that a stage last saved or loaded. A save rewrites only what may have
 * changed since, and a load restores only what differs. So both cost next to nothing for bodies
 * that sleep.
 *
 * | part            | may differ from its words if                                        |
 * | --------------- | ------------------------------------------------------------------- |
 * | a body          | it is `UNSAVED`                                                     |
 * | a contact       | it is active or `UNSAVED`, or it has no words                       |
 * | a joint         | one of its bodies is `UNSAVED`                                      |
 * | a projectile    | always, and so may the fields of entities, of joints and of a stage |
 */
import type { EntityTable } from "../stage/entity_table.ts";
import type { JointTable } from "../joints/joint_table.ts";
import { Snapshot } from "../../snapshot.ts";

/** The state that one stage last saved or loaded. */
export class SavedState {
  /** A whole valid state while `isKnown`. */
  readonly words = new Snapshot();
  /** Index of the first word of the joints, of the contacts, and of the ended touches. */
  jointsAt = 0;
  contactsAt = 0;
  endedAt = 0;
  #isKnown = false;
  #entityChanges = 0;
  #jointChanges = 0;
  readonly #isWhole: boolean;

  /**
   * @param isWhole whether the stage saves and loads everything every time, as if it had no such
   *   words
   */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole;
  }

  /** Whether `words` are the stage's state but for the parts that may differ. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Before a change of the words or of the stage that an error may stop. */
  forget(): void {
    this.#isKnown = false;
  }

  /** The stage is now exactly in this state. */
  keep(words: Snapshot, entities: EntityTable, joints: JointTable | undefined): void {
    if (this.#isWhole) return;
    this.words.copyFrom(words);
    this.#entityChanges = entities.changes;
    this.#jointChanges = joints?.changes ?? 0;
    this.#isKnown = true;
  }

  /**
   * Whether the words have the entities that are on the stage. Each of them then knows its place,
   * `savedAt`.
   */
  hasEntitiesOf({ changes }: EntityTable): boolean {
    return changes === this.#entityChanges;
  }

  /** Whether the words have the joints that are on the stage. */
  hasJointsOf({ changes }: JointTable): boolean {
    return changes === this.#jointChanges;
  }
}
