// Who may register at an Asterisk and which trunks it has: pushed by ARI into its memory, and again after each of its starts.
import { Effect, Schema } from "effect"
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import type { TenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import type { Ari, AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { deleteTrunk, deleteUser, putTrunk, putUser, registered_seconds, type SipObject, trunkEndpoint, unfitTrunk } from "./Provisioning.ts"

export interface RegistryOptions {
  readonly ari: Ari
  readonly report: (tenant_pbx_id: string, type: PbxEventType, data: PbxEventData, at: number) => void
  readonly now: () => number
}

interface Trunk {
  readonly trunk_id: string
  readonly tenant_pbx_id: string
}

const Endpoint = Schema.Struct({ state: Schema.String })
const isEndpoint = Schema.is(Endpoint)

export class Registry {
  private readonly options: RegistryOptions
  private readonly tenants = new Map<string, string>()
  /** By endpoint, the oldest first: it serves until it is deleted. */
  private readonly trunks = new Map<string, Trunk>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  /** Carries the command out, or says why it cannot be. Twice is as once; where Asterisk cannot be asked, it comes again. */
  carryOut({ action, tenant_pbx_id }: TenantCommand): Effect.Effect<string | undefined, AriAway> {
    switch (action.kind) {
      case "registrar.put":
        this.tenants.set(action.username, tenant_pbx_id)
        return this.push(putUser(action, tenant_pbx_id))
      case "registrar.delete":
        this.tenants.delete(action.username)
        return this.push(deleteUser(action.username))
      case "trunk.put": {
        const unfit = unfitTrunk(action.target)
        if (unfit !== undefined) return Effect.succeed(unfit)
        this.trunks.set(trunkEndpoint(action.trunk_id), { trunk_id: action.trunk_id, tenant_pbx_id })
        return this.push(putTrunk(action, tenant_pbx_id))
      }
      case "trunk.delete":
        this.trunks.delete(trunkEndpoint(action.trunk_id))
        return this.push(deleteTrunk(action.trunk_id))
      case "trunk.probe":
        return Effect.as(this.probe(action.trunk_id, tenant_pbx_id), undefined)
    }
  }

  /** The endpoint that carries the tenant's calls to numbers, where it has a trunk of its own. */
  trunkOf(tenant_pbx_id: string): string | undefined {
    for (const [endpoint, trunk] of this.trunks) if (trunk.tenant_pbx_id === tenant_pbx_id) return endpoint
    return undefined
  }

  told({ contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>, at: number): void {
    const { contact_status, uri } = contact_info
    const trunk = this.trunks.get(resource)
    if (trunk !== undefined) return this.trunkIs(trunk, contact_status === "Reachable", at)
    const tenant_pbx_id = this.tenants.get(resource)
    if (tenant_pbx_id === undefined) return
    const gone = contact_status === "Removed" || contact_status === "Unreachable"
    this.options.report(tenant_pbx_id, "registration.changed", {
      username: resource,
      contact: uri.slice(0, 256),
      registration: gone ? "unregistered" : "registered",
      ...(!gone && { expires_at: new Date(at + registered_seconds * 1000).toISOString() })
    }, at)
  }

  /** Asterisk asks the trunk by itself, from the moment on that it has it; this tells what it has heard. */
  private probe(trunk_id: string, tenant_pbx_id: string): Effect.Effect<void, AriAway> {
    const { ari, now } = this.options
    return Effect.map(ari.request("GET", `/endpoints/PJSIP/${encodeURIComponent(trunkEndpoint(trunk_id))}`), ({ body }) =>
      this.trunkIs({ trunk_id, tenant_pbx_id }, isEndpoint(body) && body.state === "online", now()))
  }

  private trunkIs({ tenant_pbx_id, trunk_id }: Trunk, reachable: boolean, at: number): void {
    this.options.report(tenant_pbx_id, "trunk.state", { trunk_id, reachable, sip_code: reachable ? 200 : 408 }, at)
  }

  private push(objects: ReadonlyArray<SipObject>): Effect.Effect<string | undefined, AriAway> {
    return Effect.gen({ self: this }, function*() {
      for (const { fields, id, type } of objects) {
        const path = `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`
        if (fields === undefined) {
          yield* this.options.ari.request("DELETE", path)
          continue
        }
        const wanted = Object.entries(fields).map(([attribute, value]) => ({ attribute, value: String(value) }))
        const { status } = yield* this.options.ari.request("PUT", path, {}, { fields: wanted })
        if (status >= 300) return `Asterisk refuses this ${type}.`
      }
      return undefined
    })
  }
}
