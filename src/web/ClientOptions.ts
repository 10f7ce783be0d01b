// The options of the client: an answer of POST /v1/webrtc/token may be passed as it is.
import { claimsOf, type TokenClaims } from "./TokenClaims.ts"

export interface TurnServer {
  readonly urls: string | ReadonlyArray<string>
  readonly username?: string
  readonly credential?: string
}

/** `error`: errors are written to the console. `debug`: also events and SIP messages. */
export type Debug = "none" | "error" | "debug"

export interface ClientOptions {
  /** `token` of POST /v1/webrtc/token. */
  readonly token: string
  /** Default: the one that the token names. */
  readonly endpoint?: string
  readonly protocol?: "sip"
  /** An ICE server, or a list of them. Default: none. */
  readonly turnServer?: TurnServer | ReadonlyArray<TurnServer>
  /** What plays the other side. Default: an element of the client's own, which is not part of the page. */
  readonly audioElement?: HTMLAudioElement
  /** Default: `none`. */
  readonly debug?: Debug
}

export interface CheckedOptions {
  readonly claims: TokenClaims
  /** A ws or wss URL. */
  readonly endpoint: string
  readonly iceServers: ReadonlyArray<TurnServer>
  readonly debug: Debug
}

const isTurnServer = (server: unknown): server is TurnServer => {
  if (typeof server !== "object" || server === null || !("urls" in server)) return false
  const urls: ReadonlyArray<unknown> = Array.isArray(server.urls) ? server.urls : [server.urls]
  return urls.length > 0 && urls.every((url) => typeof url === "string")
}

/** Takes one server for a list of one. Throws a TypeError for anything else that is no list of servers. */
export const iceServersOf = (turnServer: unknown): ReadonlyArray<TurnServer> => {
  const servers: ReadonlyArray<unknown> = Array.isArray(turnServer) ? turnServer : [turnServer]
  if (!servers.every(isTurnServer))
    throw new TypeError("`turnServer` must be an ICE server with `urls`, or a list of them.")
  return servers
}

const endpointOf = (endpoint: unknown): string => {
  if (endpoint === undefined) throw new TypeError("`endpoint` is missing, and the token does not name it.")
  const url = typeof endpoint === "string" && URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || !/^wss?:$/.test(url.protocol)) throw new TypeError("`endpoint` must be a ws or wss URL.")
  return url.href
}

/** `now` in epoch milliseconds. Throws a TypeError that names the wrong option. */
export const checkOptions = (options: ClientOptions, now: number): CheckedOptions => {
  const { debug = "none", endpoint, protocol = "sip", token, turnServer = [] } = options
  const claims = claimsOf(token, now)
  if (protocol !== "sip") throw new TypeError("`protocol` must be sip: use the client's version for other protocols.")
  const iceServers = iceServersOf(turnServer)
  if (!["none", "error", "debug"].includes(debug)) throw new TypeError("`debug` must be none, error or debug.")
  return {
    claims,
    endpoint: endpointOf(endpoint ?? claims.endpoint),
    iceServers,
    debug
  }
}

const dialled = /^[A-Za-z0-9+*#._~!()-]{1,64}$/

/** A number or an extension without spaces; undefined if it is neither. */
export const dialledNumber = (to: unknown): string | undefined => {
  const number = typeof to === "string" ? to.replaceAll(/\s/g, "") : ""
  return dialled.test(number) ? number : undefined
}

/** The keys without spaces; undefined if others are among them. */
export const pressedKeys = (digits: unknown): string | undefined => {
  const keys = typeof digits === "string" ? digits.replaceAll(/\s/g, "").toUpperCase() : ""
  return /^[0-9A-D*#]{1,64}$/.test(keys) ? keys : undefined
}
