import { Data, Effect } from "effect"
import { createServer } from "node:net"

export class NoFreePort extends Data.TaggedError("NoFreePort")<{ readonly message: string; readonly cause: unknown }> {}

/** Returns a port that is free now. Another process may take it before it is used. */
export const freePort = (host: string): Effect.Effect<number, NoFreePort> =>
  Effect.callback((resume) => {
    const probe = createServer()
    probe.once("error", (cause) =>
      resume(Effect.fail(new NoFreePort({ message: `No free port: ${cause.message}`, cause })))
    )
    probe.listen(0, host, () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resume(Effect.succeed(port)))
    })
  })
