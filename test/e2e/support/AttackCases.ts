// Random attacks on the PBX edge, by seed: what a workspace, its devices, its trunk's peer, a called party or a
// stranger could write wherever SIP takes a host.
import { Rng } from "../../simulation/Rng.ts"

/** A UDP address. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** Where the attacks come from and what they aim at. */
export interface Places {
  /** What no attack may reach: the carrier, another tenant's provider, and a host of the private network. */
  readonly forbidden: ReadonlyArray<Place>
  /** The port of SIP of the PBX itself. */
  readonly pbx: Place
  /** The attacker's own provider, device and called party. */
  readonly peer: Place
  readonly device: Place
  readonly called: Place
}

export type AttackCase =
  /** The definition of a trunk, sent with PUT /v1/sip-trunk, and a number that is called over it. */
  | { readonly kind: "trunk"; readonly definition: Readonly<Record<string, unknown>>; readonly to: string }
  /** The Contact headers of a REGISTER with the device's own password. The extension is called afterwards. */
  | { readonly kind: "contact"; readonly headers: ReadonlyArray<string> }
  /** The response of a called SIP address. */
  | {
      readonly kind: "response"
      readonly status: string
      readonly headers: ReadonlyArray<string>
      /** The address of its sound. */
      readonly sound: Place
    }
  /** An INVITE from the trunk's peer or from a stranger. */
  | {
      readonly kind: "invite"
      readonly from: "peer" | "stranger"
      readonly via: string
      readonly headers: ReadonlyArray<string>
      readonly contact: string
      readonly sound: Place
    }

const premium = "+254900223456"
const ordinary = "+254711000486"

/** The ways in which an IPv4 address can be written so that some reader takes it for that address. */
const spellings = (host: string): ReadonlyArray<string> => {
  const bytes = host.split(".").map(Number)
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  return [
    host,
    host,
    host,
    `::ffff:${host}`,
    `[::ffff:${host}]`,
    `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`,
    String(number),
    `0x${number.toString(16)}`,
    `${a}.${d}`,
    `0${a.toString(8)}.${b}.${c}.${d}`,
    `${host}.`,
    "localhost",
    "localhost.localdomain"
  ]
}

const rangesAround = (rng: Rng, host: string): string => {
  const length = rng.of([32, 32, 31, 30, 29, 28, 24, 20, 16])
  return rng.chance(0.3) ? `::ffff:${host}/${96 + length}` : length === 32 ? host : `${host}/${length}`
}

const uriOf = (user: string, { host, port }: Place, more = ""): string => `sip:${user}@${host}:${port}${more}`

/** Makes the attack of this seed. */
export const attackOf = (seed: number, places: Places): AttackCase => {
  const rng = new Rng(seed, "attack")
  const forbidden = rng.of(places.forbidden)
  const aim = rng.chance(0.85) ? forbidden : rng.of([places.pbx, places.peer, places.called])
  const user = rng.of([premium, ordinary, "x", "+882161234567", encodeURIComponent("a\r\nb"), "boss"])
  const parameters = (): string =>
    rng.of([
      "",
      `;maddr=${aim.host}`,
      `;maddr=${aim.host}`,
      `;transport=tcp;maddr=${aim.host}`,
      `;MADDR=${aim.host}`,
      `;maddr=${aim.host}:${aim.port}`,
      ";transport=tcp",
      ";lr",
      `;lr;maddr=${aim.host}`,
      `;received=${aim.host};rport=${aim.port}`,
      ";ob",
      `;x-ast-orig-host=${aim.host}:${aim.port}`,
      `;alias=${aim.host}~${aim.port}~1`
    ])
  const embedded = (): string =>
    rng.of([
      "",
      "",
      `?Route=%3C${encodeURIComponent(`sip:${aim.host}:${aim.port};lr`)}%3E`,
      `?Replaces=x`,
      `?maddr=${aim.host}`
    ])
  /** A URI that leads elsewhere: by its host, by a parameter, or by a header within it. */
  const leading = (own: Place): string => {
    const at = rng.chance(0.5) ? own : aim
    return uriOf(user, rng.chance(0.5) ? at : { host: at.host, port: aim.port }, parameters() + embedded())
  }
  const bracketed = (uri: string): string => rng.of([`<${uri}>`, `<${uri}>`, `"x" <${uri}>;expires=60`])
  const soundPlace = (own: Place): Place => (rng.chance(0.6) ? aim : own)
  const trouble = (own: Place): ReadonlyArray<string> => [
    ...(rng.chance(0.4) ? [`Record-Route: <${uriOf("rr", rng.chance(0.5) ? own : aim, `;lr${parameters()}`)}>`] : []),
    ...(rng.chance(0.2) ? [`Record-Route: <sip:${aim.host}:${aim.port};lr>`] : []),
    ...(rng.chance(0.2) ? [`P-Asserted-Identity: <${uriOf(premium, aim)}>`] : []),
    ...(rng.chance(0.1) ? [`Refer-To: <${uriOf(premium, aim)}>`] : []),
    ...(rng.chance(0.1) ? [`Replaces: x;to-tag=1;from-tag=2`] : [])
  ]

  const kind = rng.of(["trunk", "contact", "contact", "response", "response", "invite"])
  if (kind === "trunk") {
    const auth_mode = rng.of(["ip", "ip", "digest", "registration"])
    const host = rng.chance(0.7) ? rng.of(spellings(aim.host)) : places.peer.host
    return {
      kind,
      to: rng.chance(0.3) ? premium : ordinary,
      definition: {
        auth_mode,
        [auth_mode === "registration" ? "registrar" : "host"]: host,
        port: rng.chance(0.8) ? aim.port : places.peer.port,
        transport: rng.of(["udp", "udp", "tcp"]),
        ...(auth_mode === "ip"
          ? { allowed_ips: Array.from({ length: rng.between(1, 3) }, () => rangesAround(rng, aim.host)) }
          : { username: "u", password: "p" })
      }
    }
  }
  if (kind === "contact") {
    const uris = Array.from({ length: rng.between(1, 3) }, (_, index) =>
      bracketed(index === 0 && rng.chance(0.6) ? uriOf("x", places.device) : leading(places.device))
    )
    const headers = rng.chance(0.5) ? [`Contact: ${uris.join(", ")}`] : uris.map((uri) => `Contact: ${uri}`)
    return {
      kind,
      headers: [
        ...headers,
        ...(rng.chance(0.2) ? [`Path: <sip:${aim.host}:${aim.port};lr>`, "Supported: path"] : []),
        ...(rng.chance(0.2) ? [`Route: <sip:${aim.host}:${aim.port};lr>`] : [])
      ]
    }
  }
  if (kind === "response") {
    const status = rng.of([
      "200 OK",
      "200 OK",
      "200 OK",
      "200 OK",
      "302 Moved Temporarily",
      "305 Use Proxy",
      "380 Other",
      "401 Who"
    ])
    return {
      kind,
      status,
      headers: [`Contact: <${leading(places.called)}>`, ...trouble(places.called)],
      sound: soundPlace(places.called)
    }
  }
  const from = rng.of(["peer", "peer", "stranger"] as const)
  const own = from === "peer" ? places.peer : places.device
  return {
    kind,
    from,
    via: rng.of(["", "", `;maddr=${aim.host}`, `;received=${aim.host}`, `;maddr=${aim.host};ttl=1`]),
    headers: [...trouble(own), ...(rng.chance(0.3) ? [`Route: <sip:${aim.host}:${aim.port};lr>`] : [])],
    contact: `<${leading(own)}>`,
    sound: soundPlace(own)
  }
}
