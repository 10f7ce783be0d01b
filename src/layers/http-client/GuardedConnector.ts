// Opens connections to hosts that customers configure. A name is resolved once, all of its addresses are checked, and
// the socket connects to a checked address only. This prevents server-side request forgery and DNS rebinding.
import { lookup as systemLookup, Resolver } from "node:dns/promises"
import { isIP, type LookupFunction, type Socket } from "node:net"
import { buildConnector } from "undici"
import { mayConnect, type TargetPolicy } from "../../domain/targets/TargetUrl.ts"
import { ConnectFault } from "./ConnectFault.ts"

/** Returns the addresses of a name. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<string>>

/**
 * Asks the name servers directly. The system's resolver has four threads for the whole process, which a few slow names
 * would block.
 */
const fromNameServers: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
}

/** Also uses the hosts file and search domains, which hold the names of a local network. */
const fromSystem: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address)

export const defaultResolve = ({ allow_private }: TargetPolicy): Resolve =>
  allow_private ? fromSystem : fromNameServers

const checked = async (hostname: string, policy: TargetPolicy, resolve: Resolve) => {
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw new ConnectFault("dns_failed", cause)
  })
  const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }))
  if (first === undefined) throw new ConnectFault("dns_failed")
  // A forbidden address among allowed ones suggests an attack.
  if (!addresses.every((address) => mayConnect(address, policy))) throw new ConnectFault("address_refused")
  return { first, all: [first, ...others] }
}

export const guardedLookup =
  (policy: TargetPolicy, resolve: Resolve = defaultResolve(policy)): LookupFunction =>
  (hostname, options, callback) => {
    checked(hostname, policy, resolve).then(
      ({ all, first }) => (options.all === true ? callback(null, all) : callback(null, first.address, first.family)),
      (fault: Error) => callback(fault, "")
    )
  }

const faultOf = (error: Error & { readonly code?: unknown }): ConnectFault => {
  if (error instanceof ConnectFault) return error
  const code = String(error.code ?? "")
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return new ConnectFault("connect_timeout", error)
  const transport = /^E[A-Z]+$/.test(code) || error instanceof AggregateError
  return new ConnectFault(transport ? "connect_failed" : "tls_failed", error)
}

export interface ConnectorOptions {
  readonly policy: TargetPolicy
  /** For resolving, connecting and the TLS handshake together. */
  readonly connect_timeout_ms: number
  readonly resolve?: Resolve
}

export const guardedConnector = (options: ConnectorOptions): buildConnector.connector => {
  const { connect_timeout_ms, policy, resolve = defaultResolve(policy) } = options
  const connect = buildConnector({
    allowH2: false,
    timeout: connect_timeout_ms,
    lookup: guardedLookup(policy, resolve)
  } as buildConnector.BuildOptions)
  return (target, callback) => {
    // A literal address is not looked up, so it is checked here.
    if (isIP(target.hostname) !== 0 && !mayConnect(target.hostname, policy)) {
      return callback(new ConnectFault("address_refused"), null)
    }
    connect(target, (...[error, socket]: [null, Socket] | [Error, null]) => {
      if (error !== null) return callback(faultOf(error), null)
      if (!mayConnect(socket.remoteAddress ?? "", policy)) {
        socket.destroy()
        return callback(new ConnectFault("address_refused"), null)
      }
      return callback(null, socket)
    })
  }
}
