// The places that this process runs, and the actors that are in its memory there. The cluster moves places, not single
// actors: an actor of an own place is reached without the cluster, and a place costs the cluster one entity.
import { Effect } from "effect"
import { ClusterSchema, Entity, EntityId, type Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { placeOf, placesCount } from "../../domain/ActorPlace.ts"
import type { Cells } from "./Cells.ts"

/** How long a place that is moved waits for the last commits of its actors. */
const departure_ms = 5_000
/** How often the actors of lost places are looked for. */
const search_ms = 1_000
/** How long an attempt to watch a place may take. */
const watchTimeout = "3 seconds"

/** Runs while this process has the place. The cluster ends it before it gives the place to another process. */
const PlaceEntity = Entity.make("Place", [Rpc.make("watch").annotate(ClusterSchema.InterruptOnTermination, true)])

/** The name of a place as an entity of the cluster. */
export const entityOf = (id: string): string => String(placeOf(id))

export class OwnPlaces {
  private readonly cells: Cells
  private readonly hasPlace: (place: number) => boolean
  private readonly watch: (place: number) => Effect.Effect<void, unknown>
  /** Ids of actors in memory, by their type, for each place. */
  private readonly residents: ReadonlyArray<Map<string, Set<string>>>
  /** The places whose end this process will learn from the cluster. */
  private readonly watched = new Set<number>()
  private readonly departures = new Map<number, Array<() => void>>()

  constructor(
    cells: Cells,
    hasPlace: (place: number) => boolean,
    watch: (place: number) => Effect.Effect<void, unknown>
  ) {
    this.cells = cells
    this.hasPlace = hasPlace
    this.watch = watch
    this.residents = Array.from({ length: placesCount }, () => new Map())
  }

  readonly owns = (id: string): boolean => this.hasPlace(placeOf(id))

  /** The actor comes into memory. */
  readonly entered = (type: string, id: string): void => {
    const place = placeOf(id)
    const residents = this.residentsOf(place)
    const ids = residents.get(type)
    if (ids === undefined) residents.set(type, new Set([id]))
    else ids.add(id)
    if (this.watched.has(place)) return
    this.watched.add(place)
    const isUnwatched = Effect.sync(() => void this.watched.delete(place))
    this.cells.fork(
      this.watch(place).pipe(
        Effect.timeout(watchTimeout),
        Effect.catchCause(() => isUnwatched)
      )
    )
  }

  /** The actor has left memory. */
  readonly left = (type: string, id: string): void => {
    const place = placeOf(id)
    const residents = this.residentsOf(place)
    const ids = residents.get(type)
    if (ids?.delete(id) === true && ids.size === 0) residents.delete(type)
    if (residents.size > 0) return
    const waiting = this.departures.get(place) ?? []
    this.departures.delete(place)
    for (const resume of waiting) resume()
  }

  /** Takes all actors of the place out of memory, and waits until their last commits are stored. */
  readonly leave = (place: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      this.watched.delete(place)
      this.evict(place)
      return Effect.ignore(Effect.timeout(this.departed(place), departure_ms))
    })

  /**
   * Takes actors of lost places out of memory, forever. The cluster tells of a place that it moves, but not if this
   * process lost it before it was watched.
   */
  readonly evictLost: Effect.Effect<never> = Effect.sync(() => {
    for (const [place, { size }] of this.residents.entries()) {
      if (size === 0 || this.hasPlace(place)) continue
      this.watched.delete(place)
      this.evict(place)
    }
  }).pipe(Effect.andThen(Effect.sleep(search_ms)), Effect.forever)

  private departed(place: number): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (this.residentsOf(place).size === 0) return resume(Effect.void)
      const waiting = this.departures.get(place) ?? []
      waiting.push(() => resume(Effect.void))
      this.departures.set(place, waiting)
    })
  }

  private residentsOf(place: number): Map<string, Set<string>> {
    const residents = this.residents[place]
    if (residents === undefined) throw new Error(`There is no place ${place}`)
    return residents
  }

  private evict(place: number): void {
    for (const [type, ids] of this.residentsOf(place)) for (const id of ids) this.cells.evict(type, id)
  }
}

/** The places of this process, as the cluster gives them to it. */
export const makeOwnPlaces = Effect.fnUntraced(function* (cells: Cells, sharding: Sharding.Sharding["Service"]) {
  const shards = Array.from({ length: placesCount }, (_, place) =>
    sharding.getShardId(EntityId.make(String(place)), "default")
  )
  const hasPlace = (place: number): boolean => {
    const shard = shards[place]
    return shard !== undefined && sharding.hasShardId(shard)
  }
  const client = yield* sharding.makeClient(PlaceEntity)
  const places = new OwnPlaces(cells, hasPlace, (place) => client(String(place)).watch(undefined, { discard: true }))
  const handlers = Effect.gen(function* () {
    const { entityId } = yield* Entity.CurrentAddress
    yield* Effect.addFinalizer(() => places.leave(Number(entityId)))
    return { watch: () => Effect.never }
  })
  yield* sharding.registerEntity(PlaceEntity, handlers, { concurrency: "unbounded" })
  yield* Effect.forkScoped(places.evictLost)
  return places
})
