/** The lists of bodies' contacts, ascending by their keys (`contact_rows.ts`). */
import { BODY_INTS, BODY_TYPE, type BodyTable, FIRST_CONTACT, NONE, STATIC } from "./body_rows.ts";
import {
  CONTACT_BODY_A,
  CONTACT_INTS,
  type ContactTable,
  NEXT_LINK,
  PREVIOUS_LINK,
} from "./contact_rows.ts";

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
  const own = contact * CONTACT_INTS + side;
  const at = ints[own + CONTACT_BODY_A]! * BODY_INTS;
  const link = 2 * contact + side;
  ints[own + NEXT_LINK] = ints[own + PREVIOUS_LINK] = NONE;
  if (bodies.ints[at + BODY_TYPE] === STATIC) return;
  let next = bodies.ints[at + FIRST_CONTACT]!;
  let previous: number = NONE;
  while (next !== NONE && contacts.isBefore(next >> 1, contact)) {
    previous = next;
    next = ints[(next >> 1) * CONTACT_INTS + NEXT_LINK + (next & 1)]!;
  }
  ints[own + NEXT_LINK] = next;
  ints[own + PREVIOUS_LINK] = previous;
  if (next !== NONE) ints[(next >> 1) * CONTACT_INTS + PREVIOUS_LINK + (next & 1)] = link;
  if (previous === NONE) bodies.ints[at + FIRST_CONTACT] = link;
  else ints[(previous >> 1) * CONTACT_INTS + NEXT_LINK + (previous & 1)] = link;
}

/** Takes a contact out of the list of one of its bodies. @param side 0 for body A */
export function unlinkContact(
  { bodies, contacts: { ints } }: LinkedRows,
  contact: number,
  side: number,
): void {
  const own = contact * CONTACT_INTS + side;
  const at = ints[own + CONTACT_BODY_A]! * BODY_INTS;
  if (bodies.ints[at + BODY_TYPE] === STATIC) return;
  const next = ints[own + NEXT_LINK]!;
  const previous = ints[own + PREVIOUS_LINK]!;
  if (next !== NONE) ints[(next >> 1) * CONTACT_INTS + PREVIOUS_LINK + (next & 1)] = previous;
  if (previous === NONE) bodies.ints[at + FIRST_CONTACT] = next;
  else ints[(previous >> 1) * CONTACT_INTS + NEXT_LINK + (previous & 1)] = next;
}
