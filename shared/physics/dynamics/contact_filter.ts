/**
 * The rules about pairs of bodies, as the contacts consult them in the middle of a world step. A stage compiles one from
 * its author's declaration (`stage/pair_rules.ts`), so this room imports nothing of the stage.
 *
 * Every method is a pure function of the state, so that a resimulation decides alike, and allocates nothing.
 *
 * @typeParam Side one side of a pair: the row of a body for contacts, the stage's record of an entity for projectiles
 */
export interface ContactFilter<Side = number> {
  /** Whether the two methods below can never return false, so that nobody need call them. */
  readonly isAlwaysSolid: boolean;
  /** Restitution of the pair, 0 to 1; -1 if the fixtures' own restitutions count. Symmetric. */
  restitution(a: Side, b: Side): number;
  /** Whether two sides that touch push each other. Symmetric. */
  shouldCollide(a: Side, b: Side): boolean;
  /** Whether `side` may stand on the one-way fixtures of `platform`. */
  landsOn(side: Side, platform: Side): boolean;
}
