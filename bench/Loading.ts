// Orders to the load client, which is a process of its own.
import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Load, LoadOrder } from "./LoadClient.ts"

export const loadClient = Effect.acquireRelease(
  Effect.sync(() => fork(join(import.meta.dirname, "LoadClient.ts"))),
  (child) => Effect.sync(() => child.kill())
)

export const load = (child: ChildProcess, order: LoadOrder): Effect.Effect<Load> =>
  Effect.promise(async () => {
    child.send(order)
    const [answer] = (await once(child, "message")) as [Load | { readonly error: string }]
    if ("error" in answer) throw new Error(answer.error)
    const refused = Object.keys(answer.statuses).filter((status) => status !== "201")
    if (refused.length > 0) throw new Error(`Not every originate was accepted: ${JSON.stringify(answer.statuses)}`)
    return answer
  })
