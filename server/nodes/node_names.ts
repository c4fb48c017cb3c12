/**
 * The names of processes among all nodes: 16 hexadecimal digits, of which the first 13 are one
 * machine's. Each start of a process has another name, so nobody takes a process that was started
 * again for the one before.
 */
import { randomHex } from "../ground/server_secret.ts";

/** 52 random bits. */
const MACHINE_DIGITS = 13;
/** As many starts as the other digits can count. */
const STARTS = 16 ** 3;

/** Whether two processes run on one machine, started by one gateway. */
export function isOfMachine(node: string, other: string): boolean {
  return node.slice(0, MACHINE_DIGITS) === other.slice(0, MACHINE_DIGITS);
}

/** Makes names for the processes of one machine, one after another. */
export function namesOfMachine(): () => string {
  const machine = randomHex(8).slice(0, MACHINE_DIGITS);
  let starts = 0;
  return () => {
    const start = starts++ % STARTS;
    return `${machine}${start.toString(16).padStart(3, "0")}`;
  };
}
