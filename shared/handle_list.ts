/**
 * A list of handles, ascending by id, that rules may walk while they spawn and despawn: a list that
 * was handed out never changes. The first change after that copies it, so lists cost nothing while
 * nothing changes.
 */
import { removeById } from "./sorted_list.ts";

/** The handles of one archetype or of one definition of joints. */
export class HandleList<Handle extends { readonly id: number }> {
  #handles: Handle[] = [];
  #isHandedOut = false;

  /** The list as it is now. Later changes do not show in it. */
  get current(): readonly Handle[] {
    this.#isHandedOut = true;
    return this.#handles;
  }

  /** Adds a handle whose id is larger than all others. */
  append(handle: Handle): void {
    this.#own().push(handle);
  }

  /** Removes the handle with this id, which the list must have. */
  remove(id: number): void {
    removeById(this.#own(), id);
  }

  clear(): void {
    if (this.#isHandedOut) this.#handles = [];
    this.#isHandedOut = false;
    this.#handles.length = 0;
  }

  #own(): Handle[] {
    if (this.#isHandedOut) this.#handles = this.#handles.slice();
    this.#isHandedOut = false;
    return this.#handles;
  }
}
