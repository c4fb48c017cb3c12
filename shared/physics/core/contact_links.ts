/** The lists of bodies' contacts, ascending by their keys (`contact_rows.ts`). */
import { BodyInt, type BodyTable, MotionType, NONE } from "./body_rows.ts";
import { ContactInt, type ContactTable } from "./contact_rows.ts";

/** The rows that the lists link. */
interface LinkedRows {
  readonly bodies: BodyTable;
  readonly contacts: ContactTable;
}

/**
 * Puts a contact into the list of one of its bodies. A static body has no list: it would be long.
 * @param side 0 for body A
 */
export function linkContact({ bodies, contacts }: LinkedRows, contact: number, side: number): void {
  const { ints } = contacts;
  const own = contact * ContactInt.STRIDE + side;
  const at = ints[own + ContactInt.BODY_A]! * BodyInt.STRIDE;
  const link = 2 * contact + side;
  ints[own + ContactInt.NEXT_LINK] = ints[own + ContactInt.PREVIOUS_LINK] = NONE;
  if (bodies.ints[at + BodyInt.TYPE] === MotionType.STATIC) return;
  let next = bodies.ints[at + BodyInt.FIRST_CONTACT]!;
  let previous: number = NONE;
  while (next !== NONE && contacts.isBefore(next >> 1, contact)) {
    previous = next;
    next = ints[(next >> 1) * ContactInt.STRIDE + ContactInt.NEXT_LINK + (next & 1)]!;
  }
  ints[own + ContactInt.NEXT_LINK] = next;
  ints[own + ContactInt.PREVIOUS_LINK] = previous;
  if (next !== NONE) {
    ints[(next >> 1) * ContactInt.STRIDE + ContactInt.PREVIOUS_LINK + (next & 1)] = link;
  }
  if (previous === NONE) bodies.ints[at + BodyInt.FIRST_CONTACT] = link;
  else ints[(previous >> 1) * ContactInt.STRIDE + ContactInt.NEXT_LINK + (previous & 1)] = link;
}

/** Takes a contact out of the list of one of its bodies. @param side 0 for body A */
export function unlinkContact(
  { bodies, contacts: { ints } }: LinkedRows,
  contact: number,
  side: number,
): void {
  const own = contact * ContactInt.STRIDE + side;
  const at = ints[own + ContactInt.BODY_A]! * BodyInt.STRIDE;
  if (bodies.ints[at + BodyInt.TYPE] === MotionType.STATIC) return;
  const next = ints[own + ContactInt.NEXT_LINK]!;
  const previous = ints[own + ContactInt.PREVIOUS_LINK]!;
  if (next !== NONE) {
    ints[(next >> 1) * ContactInt.STRIDE + ContactInt.PREVIOUS_LINK + (next & 1)] = previous;
  }
  if (previous === NONE) bodies.ints[at + BodyInt.FIRST_CONTACT] = next;
  else ints[(previous >> 1) * ContactInt.STRIDE + ContactInt.NEXT_LINK + (previous & 1)] = next;
}
