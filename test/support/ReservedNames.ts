// Setup of tests in process: names that RFC 2606 reserves have no address, and no name server is asked for them. A name
// server loses a question now and then, and then the system's resolver waits for five seconds.
import dns from "node:dns/promises"
import { syncBuiltinESMExports } from "node:module"

const reserved = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)\.?$/i

/** The same question, which is not asked for reserved names. */
const withoutReserved = <Arguments extends ReadonlyArray<unknown>, A>(
  ask: (this: unknown, name: string, ...more: Arguments) => Promise<A>
) =>
  function (this: unknown, name: string, ...more: Arguments): Promise<A> {
    return reserved.test(name)
      ? Promise.reject(Object.assign(new Error(`${name} is a reserved name`), { code: "ENOTFOUND", hostname: name }))
      : ask.call(this, name, ...more)
  }

const { prototype } = dns.Resolver
/** Test files may share a process, and each runs its setup. */
const isDone = Symbol.for("test/ReservedNames")

if (!Object.hasOwn(prototype, isDone)) {
  Object.defineProperty(prototype, isDone, { value: true })
  dns.lookup = withoutReserved(dns.lookup as never) as typeof dns.lookup
  prototype.resolve4 = withoutReserved(prototype.resolve4 as never) as typeof prototype.resolve4
  prototype.resolve6 = withoutReserved(prototype.resolve6 as never) as typeof prototype.resolve6
  prototype.resolveSrv = withoutReserved(prototype.resolveSrv)
  syncBuiltinESMExports()
}
