// The trunks that an Asterisk has, whose they are, and whether they are there.
import { Effect, Schema } from "effect"
import type { AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./Registry.ts"
import { deleteTrunk, putTrunk, trunkEndpoint, unfitTrunk } from "./TrunkObjects.ts"

interface Trunk {
  readonly trunk_id: string
  readonly tenant_pbx_id: string
}

const Endpoint = Schema.Struct({ state: Schema.String })
const isEndpoint = Schema.is(Endpoint)

export class Trunks {
  private readonly options: RegistryOptions
  /** By endpoint, the oldest first: it serves until it is deleted. */
  private readonly trunks = new Map<string, Trunk>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"trunk.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const unfit = unfitTrunk(action.target)
    if (unfit !== undefined) return Effect.succeed(unfit)
    this.trunks.set(trunkEndpoint(action.trunk_id), { trunk_id: action.trunk_id, tenant_pbx_id })
    const { ari, media_timeout } = this.options
    return push(ari, putTrunk(action, { tenant_pbx_id, media_timeout }))
  }

  delete(trunk_id: string): Effect.Effect<string | undefined, AriAway> {
    this.trunks.delete(trunkEndpoint(trunk_id))
    return push(this.options.ari, deleteTrunk(trunk_id))
  }

  /** The endpoint that carries the tenant's calls to numbers, where it has a trunk of its own. */
  of(tenant_pbx_id: string): string | undefined {
    for (const [endpoint, trunk] of this.trunks) if (trunk.tenant_pbx_id === tenant_pbx_id) return endpoint
    return undefined
  }

  /** Asterisk asks the trunk by itself, from the moment on that it has it; this tells what it has heard. */
  probe(trunk_id: string, tenant_pbx_id: string): Effect.Effect<void, AriAway> {
    const { ari, now } = this.options
    return Effect.map(ari.request("GET", `/endpoints/PJSIP/${encodeURIComponent(trunkEndpoint(trunk_id))}`), ({ body }) =>
      this.is({ trunk_id, tenant_pbx_id }, isEndpoint(body) && body.state === "online", now()))
  }

  /** Whether it was of a trunk. */
  told({ contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>, at: number): boolean {
    const trunk = this.trunks.get(resource)
    if (trunk !== undefined) this.is(trunk, contact_info.contact_status === "Reachable", at)
    return trunk !== undefined
  }

  private is({ tenant_pbx_id, trunk_id }: Trunk, reachable: boolean, at: number): void {
    this.options.report(tenant_pbx_id, "trunk.state", { trunk_id, reachable, sip_code: reachable ? 200 : 408 }, at)
  }
}
