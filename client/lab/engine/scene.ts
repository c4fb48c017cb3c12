/** What the lab plays: a game of the kit, who plays it, and the part of its world to look at. */
import type { BotPlayer } from "../../bots/npc_bot.ts";
import type { Glyph } from "../draw/glyph.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";

export interface Scene {
  /** In addresses: lower case and hyphens. */
  readonly name: string;
  readonly title: string;
  readonly game: LooseGame;
  /** How many players it is made for, 1 … 4. */
  readonly players: number;
  /** NPCs, beside the players: 0 … 16. */
  readonly npcs: number;
  /** The rectangle that a canvas shows, metres. */
  readonly window: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** How things of these kinds are drawn; others are drawn as their shapes. */
  readonly glyphs: Readonly<Record<string, Glyph>>;
  /** The kinds of both ends of ropes, from each thing of the one to each of the other. */
  readonly tether?: { readonly from: string; readonly to: string };
  /** Creates the person who plays for the client with this index. */
  person(index: number, seed: number): BotPlayer<LooseCommand, LooseSimulation>;
}
