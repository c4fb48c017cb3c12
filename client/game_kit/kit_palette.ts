/**
 * Gives colours to teams, to the own player by their choice, to rivals, to NPCs, and to things by
 * their names.
 */
import type { Choice } from "../../shared/game_kit/game_kit.ts";
import { PLAYER_SEATS, type SeatId } from "../../shared/netcode/game.ts";
import { NPC_HUE, patternOf, PATTERNS, RIVAL_HUES } from "../presentation/picture/hues.ts";
import type { Hue, Pattern } from "../presentation/picture/hues.ts";
import type { Chip, OwnColours } from "../presentation/view.ts";
import type { LooseDeclaration, LooseThing } from "./loose_types.ts";
import { hueOf, hueOfThing, OWN_HUES, STONE } from "./picture/colours.ts";

export class KitPalette {
  /** The colours that a player may choose: only one if each player always has their team's. */
  readonly choice: OwnColours;
  readonly #teams: Readonly<Record<string, string>>;
  readonly #teamNames: readonly string[];
  /** By the thing's name, for those that no seat drives. */
  readonly #byName = new Map<string, Hue>();
  readonly #byKind = new Map<string, Hue>();
  #own: Hue;

  /**
   * @param colours.own CSS by name; the first is the default
   * @param colours.npcs CSS by the kind of NPC; grey for the others
   */
  constructor(
    { things, player, teams = {} }: LooseDeclaration,
    { own, npcs = {} }: {
      readonly own?: Readonly<Record<string, string>> | undefined;
      readonly npcs?: Readonly<Record<string, string>> | undefined;
    } = {},
  ) {
    for (const [kind, fill] of Object.entries(npcs)) this.#byKind.set(kind, hueOf(fill));
    const hues = own === undefined
      ? OWN_HUES
      : Object.fromEntries(Object.entries(own).map(([name, fill]) => [name, hueOf(fill)]));
    this.#teams = teams;
    this.#teamNames = Object.keys(teams);
    this.#own = Object.values(hues)[0]!;
    let index = 0;
    for (const [name, { body }] of Object.entries(things)) {
      if (name !== player) {
        this.#byName.set(name, body?.type === "static" ? STONE : hueOfThing(index++));
      }
    }
    const areOfTeams = this.#teamNames.length > 0 &&
      isAlwaysOf(teams, things[player]?.fields?.team);
    this.choice = {
      names: areOfTeams ? Object.keys(hues).slice(0, 1) : Object.keys(hues),
      fill: (name) => (hues[name] ?? this.#own).fill,
      select: (name) => this.#own = hues[name] ?? this.#own,
    };
  }

  /** A thing's hue: by its team, its seat or its name. @param kind of the NPC on its seat */
  hueOf(
    { name, seat, fields }: Pick<LooseThing, "name" | "seat" | "fields">,
    own: boolean,
    kind?: string,
  ): Hue {
    const team = this.teamColour(fields.team);
    if (team !== undefined) return hueOf(team);
    return seat < 0 ? this.#byName.get(name) ?? STONE : this.#seatHue(seat, own, kind);
  }

  /** A declared team's colour, as CSS; undefined for anything else. */
  teamColour(team: unknown): string | undefined {
    return typeof team === "string" && Object.hasOwn(this.#teams, team)
      ? this.#teams[team]
      : undefined;
  }

  /**
   * The pattern of a declared team; without one that of a seat, and plain without a seat. So teams
   * differ without their hues, too.
   */
  patternOf(seat: SeatId, team: unknown): Pattern {
    const index = this.#teamNames.indexOf(String(team));
    if (index >= 0) return PATTERNS[index % PATTERNS.length]!;
    return seat < 0 ? "plain" : patternOf({ seat, npc: seat >= PLAYER_SEATS });
  }

  /** A seat's mark in lists, as the picture shows it. @param of its team, and its kind of NPC */
  chip(
    { seat, own }: { readonly seat: SeatId; readonly own: boolean },
    { team, kind }: { readonly team: unknown; readonly kind?: string | undefined },
  ): Chip {
    const colour = this.teamColour(team);
    const hue = colour === undefined ? this.#seatHue(seat, own, kind) : hueOf(colour);
    return { fill: hue.fill, mark: hue.mark, pattern: this.patternOf(seat, team) };
  }

  #seatHue(seat: SeatId, own: boolean, kind: string | undefined): Hue {
    if (own) return this.#own;
    if (kind !== undefined) return this.#byKind.get(kind) ?? NPC_HUE;
    return seat >= PLAYER_SEATS ? NPC_HUE : RIVAL_HUES[seat % RIVAL_HUES.length]!;
  }
}

/** Whether a field for the team names one at all times: not if one of its words is no team. */
function isAlwaysOf(teams: Readonly<Record<string, string>>, field: unknown): boolean {
  if (field === undefined) return false;
  const { words = [] } = field as Partial<Choice<string>>;
  return words.every((word) => Object.hasOwn(teams, word));
}
