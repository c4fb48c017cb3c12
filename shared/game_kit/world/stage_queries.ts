/** Gives rules the stage's queries, with things in place of entities. */
import type { Entity } from "../../physics/stage/entity.ts";
import type { CastHit, QueryFilter, QueryResult, QueryShape } from "../../physics/stage/queries.ts";
import type { Stage } from "../../physics/stage/stage.ts";
import type { ThingHandle, ThingTable } from "./thing_table.ts";
import { bindMethods } from "./bind_methods.ts";
import type { Place } from "./world.ts";

interface LooseFilter extends Omit<QueryFilter, "except" | "where"> {
  readonly except?: ThingHandle;
  where?(thing: ThingHandle, fixture: number): boolean;
}

/** `Queries` from `world.ts` without the game's types. */
export class StageQueries {
  readonly #stage: Stage;
  readonly #things: ThingTable;

  constructor(stage: Stage, things: ThingTable) {
    this.#stage = stage;
    this.#things = things;
    bindMethods(this);
  }

  rayCast(from: Place, to: Place, filter?: LooseFilter) {
    return this.#hit(this.#stage.queries.rayCast(from, to, this.#filter(filter)));
  }

  rayCastAll(from: Place, to: Place, filter?: LooseFilter) {
    return this.#stage.queries.rayCastAll(from, to, this.#filter(filter)).map((hit) =>
      this.#hit(hit)
    );
  }

  castShape(shape: QueryShape, from: Place, to: Place, filter?: LooseFilter) {
    return this.#hit(this.#stage.queries.castShape(shape, from, to, this.#filter(filter)));
  }

  closest(to: Place, distanceMax: number, filter?: LooseFilter) {
    const nearest = this.#stage.queries.closest(to, distanceMax, this.#filter(filter));
    if (nearest === undefined) return undefined;
    const { x, y, distance } = nearest;
    return { ...this.#found(nearest), x, y, distance };
  }

  overlap(shape: QueryShape, at: Place, filter?: LooseFilter) {
    return this.#stage.queries.overlap(shape, at, this.#filter(filter)).map((result) =>
      this.#found(result)
    );
  }

  at(place: Place, filter?: LooseFilter) {
    return this.#stage.queries.at(place, this.#filter(filter)).map((result) => this.#found(result));
  }

  distance(a: ThingHandle, b: ThingHandle) {
    return this.#stage.queries.distance(a.entity, b.entity);
  }

  #filter(filter: LooseFilter | undefined): QueryFilter {
    if (filter === undefined) return {};
    const { except, where, ...rest } = filter;
    return {
      ...rest,
      ...(except !== undefined && { except: except.entity }),
      ...(where !== undefined &&
        { where: (entity: Entity, fixture: number) => where(this.#things.of(entity), fixture) }),
    };
  }

  #found({ entity, fixture }: QueryResult) {
    return { thing: this.#things.of(entity), fixture };
  }

  #hit(hit: CastHit | undefined) {
    if (hit === undefined) return undefined;
    const { fraction, x, y, nx, ny } = hit;
    return { ...this.#found(hit), fraction, x, y, nx, ny };
  }
}
