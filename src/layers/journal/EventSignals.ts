// Wakes the streams of workspaces: at once for events that this process stored, and within half a second for those of
// other processes.
import { Context, Effect, Layer, Queue } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { EventLog } from "../../domain/ports/webhooks/EventLog.ts"
import { type Append, Journal } from "../../domain/ports/engine/Journal.ts"
import type { Committed } from "../../domain/journal/Rows.ts"
import { NewEvents } from "../../domain/ports/webhooks/NewEvents.ts"
import type { EventPosition } from "../../domain/webhooks/EventPosition.ts"

/**
 * How often the log is asked for events of other processes. An event of this process can also appear only then: it is
 * read in order, so it waits for every transaction that began before its own.
 */
const pollEvery = "500 millis"

const makeFollowers = Effect.map(Queue.sliding<void>(1), (arrivals) => {
  const followers = new Map<WorkspaceId, Set<() => void>>()
  const remove = (workspace_id: WorkspaceId, woken: () => void) => {
    const ofWorkspace = followers.get(workspace_id)
    ofWorkspace?.delete(woken)
    if (ofWorkspace?.size === 0) followers.delete(workspace_id)
  }
  return {
    /** Waits until somebody follows. */
    some: Effect.suspend(() => (followers.size > 0 ? Effect.void : Queue.take(arrivals))),
    ids: (): ReadonlyArray<WorkspaceId> => [...followers.keys()],
    wake: (workspace_id: WorkspaceId) => {
      for (const woken of followers.get(workspace_id) ?? []) woken()
    },
    follow: (workspace_id: WorkspaceId, woken: () => void) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          Queue.offerUnsafe(arrivals, undefined)
          followers.set(workspace_id, (followers.get(workspace_id) ?? new Set()).add(woken))
        }),
        () => Effect.sync(() => remove(workspace_id, woken))
      )
  }
})

type Followers = Effect.Success<typeof makeFollowers>

/** Looks for events of other processes while anybody follows. `since` is where the last look ended. */
const look = Effect.fnUntraced(function* (followers: Followers, since: EventPosition | undefined) {
  const ids = followers.ids()
  if (ids.length === 0) return undefined
  const log = yield* EventLog
  if (since === undefined) {
    // Somebody may have begun to follow before this look: each looks once more.
    const end = yield* log.end
    for (const id of ids) followers.wake(id)
    return end
  }
  const { end, workspace_ids } = yield* log.changed(ids, since)
  for (const id of workspace_ids) followers.wake(id)
  return end
})

const poll = Effect.fnUntraced(function* (followers: Followers) {
  let since: EventPosition | undefined
  while (true) {
    yield* followers.some
    yield* Effect.sleep(pollEvery)
    since = yield* look(followers, since).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logDebug("Looking for new events failed; it is tried again", error), since)
      )
    )
  }
})

/** The same journal, whose commits wake the streams. */
export const layer: Layer.Layer<Journal | NewEvents, never, Journal | EventLog> = Layer.effectContext(
  Effect.gen(function* () {
    const journal = yield* Journal
    const followers = yield* makeFollowers
    yield* Effect.forkScoped(poll(followers))
    const signalled = (append: Append): Append => {
      const [event] = append.entry.events ?? []
      if (event === undefined) return append
      const done = (outcome: Committed) => {
        append.done(outcome)
        if (outcome.ok) followers.wake(event.workspace_id)
      }
      return { ...append, done }
    }
    const signalling = Journal.of({
      ...journal,
      appendTied: (unit) => journal.appendTied(unit.map(signalled)),
      append: (entry, done, span) => {
        if (entry.events === undefined) return journal.append(entry, done, span)
        journal.append(entry, signalled({ entry, done }).done, span)
      }
    })
    return Context.make(Journal, signalling).pipe(Context.add(NewEvents, { follow: followers.follow }))
  })
)
