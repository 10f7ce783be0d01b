// Tries a port before anything is built: a database that was made for an engine that cannot listen takes seconds.
import { Data, Effect } from "effect"
import { createServer } from "node:net"
import { errorCode } from "./ErrorCode.ts"

export class PortUnavailable extends Data.TaggedError("PortUnavailable")<{ readonly message: string }> {}

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is taken. Stop what listens there, or set PORT.`,
  EACCES: (_, port) => `Port ${port} needs more rights than this user has. Set PORT to 1024 or more.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}. Correct HOST.`,
  ENOTFOUND: (host) => `The name ${host} does not exist. Correct HOST.`
}

/** Fails if nothing can listen there now. */
export const requirePort = (host: string, port: number): Effect.Effect<void, PortUnavailable> =>
  Effect.callback((resume) => {
    const probe = createServer()
    probe.once("error", (error) => {
      const reason = reasons[errorCode(error) ?? ""]
      resume(Effect.fail(new PortUnavailable({ message: reason?.(host, port) ?? `${host}:${port}: ${error.message}` })))
    })
    probe.listen(port, host, () => probe.close(() => resume(Effect.void)))
  })
