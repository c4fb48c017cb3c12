/** A program that says where it believes to be, and then fails. */
import { Body } from "../../../shared/physics/core/body_rows.ts";

console.log(import.meta.url);

if (Body.STRIDE > Body.VX) {
  throw new Error("the stride is more than a place");
}
