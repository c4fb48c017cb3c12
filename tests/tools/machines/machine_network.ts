/**
 * Machines on this one: network namespaces of Linux, each with an address of its own on one bridge.
 * It needs root, and `ip` of iproute2.
 *
 *     this machine · 10.199.77.1 ── bridge ─┬─ 10.199.77.11
 *                                           ├─ 10.199.77.12
 *                                           └─ 10.199.77.13
 */
import { UsageError } from "../../../shared/flags.ts";

const SUBNET = "10.199.77";
const BRIDGE = "wyvern-br";
/** How long one call of `ip` may take, ms. */
const CALL_MS_MAX = 10_000;

/** One of the machines: a namespace. */
export class NetworkedMachine {
  readonly number: number;
  readonly name: string;
  readonly address: string;

  constructor(number: number) {
    this.number = number;
    this.name = `wyvern-m${number}`;
    this.address = `${SUBNET}.${10 + number}`;
  }

  /** The end of its cable at the bridge. */
  get port(): string {
    return `wyvern-p${this.number}`;
  }

  /** Starts a program on it. */
  spawn(
    program: string,
    { args, env, output }: {
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly output: "piped" | "null";
    },
  ): Deno.ChildProcess {
    return new Deno.Command("ip", {
      args: ["netns", "exec", this.name, program, ...args],
      env,
      stdin: "null",
      stdout: output,
      stderr: output,
    }).spawn();
  }

  /** Kills all of its processes at once and pulls its cable, as when its power fails. */
  async fail(): Promise<void> {
    await ip("link", "set", this.port, "down");
    await this.killAll();
  }

  async killAll(): Promise<void> {
    const pids = await ip("netns", "pids", this.name);
    for (const pid of pids.split("\n").filter(Boolean)) kill(Number(pid));
  }
}

export class MachineNetwork implements AsyncDisposable {
  readonly machines: readonly NetworkedMachine[];

  private constructor(machines: readonly NetworkedMachine[]) {
    this.machines = machines;
  }

  /** @throws UsageError without root or without `ip` */
  static async open(count: number): Promise<MachineNetwork> {
    if (Deno.uid() !== 0) throw new UsageError("machines are network namespaces, which need root");
    const machines = Array.from({ length: count }, (_, i) => new NetworkedMachine(i + 1));
    const network = new MachineNetwork(machines);
    try {
      await network[Symbol.asyncDispose](); // what an earlier run may have left
      await ip("link", "add", BRIDGE, "type", "bridge");
      await ip("address", "add", `${SUBNET}.1/24`, "dev", BRIDGE);
      await ip("link", "set", BRIDGE, "up");
      for (const machine of machines) await connect(machine);
      return network;
    } catch (error) {
      await network[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Ends all processes of the machines, and the machines. */
  async [Symbol.asyncDispose](): Promise<void> {
    const names = (await ip("netns", "list")).split("\n").map((line) => line.split(" ")[0]);
    for (const machine of this.machines.filter(({ name }) => names.includes(name))) {
      await machine.killAll();
      await ip("netns", "delete", machine.name);
    }
    // A namespace that is deleted lives on for a moment, and would keep its cable
    const links = await ip("-brief", "link");
    for (const name of [...this.machines.map(({ port }) => port), BRIDGE]) {
      if (links.includes(name)) await ip("link", "delete", name);
    }
  }
}

async function connect({ name, port, address }: NetworkedMachine): Promise<void> {
  await ip("netns", "add", name);
  await ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name);
  await ip("link", "set", port, "master", BRIDGE);
  await ip("link", "set", port, "up");
  await ip("-netns", name, "address", "add", `${address}/24`, "dev", "eth0");
  await ip("-netns", name, "link", "set", "eth0", "up");
  await ip("-netns", name, "link", "set", "lo", "up");
}

/** @returns its output @throws UsageError if it is not there, Error with its words if it fails */
async function ip(...args: string[]): Promise<string> {
  const command = new Deno.Command("ip", { args, signal: AbortSignal.timeout(CALL_MS_MAX) });
  const { success, stdout, stderr } = await command.output().catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new UsageError("machines need the program ip, of the package iproute2");
  });
  const text = new TextDecoder();
  if (!success) throw new Error(`ip ${args.join(" ")}: ${text.decode(stderr).trim()}`);
  return text.decode(stdout);
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
