// The trunks that an Asterisk has, whose they are, and whether they are there.
import { Effect, Schema } from "effect"
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { TrunkTarget } from "../../../domain/pbx/TenantCommand.ts"
import { isWithin } from "../../../domain/targets/AddressRange.ts"
import type { AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./Registry.ts"
import { deleteTrunk, isRegistering, putTrunk, trunkEndpoint, unfitTrunk } from "./TrunkObjects.ts"

interface Trunk {
  readonly trunk_id: string
  readonly tenant_pbx_id: string
  readonly target: TrunkTarget
  /** Of its registration, as it was told last. */
  registered: boolean | undefined
  /** So long one that is under way is waited for. */
  patient_until: number
}

/** Where a call has come in from. */
export interface Source {
  /** The endpoint that Asterisk takes it for. */
  readonly endpoint: string
  readonly address: string
}

const Endpoint = Schema.Struct({ state: Schema.String })
const isEndpoint = Schema.is(Endpoint)

/** How often registrations are looked after: while one is under way, and while none is. */
const soon_ms = 1_000
const later_ms = 15_000
const actionTimeout_ms = 60_000
/** Of a registration that is under way: for the first time or anew. */
const pending = "Unregistered"

export class Trunks {
  private readonly options: RegistryOptions
  /** By endpoint. */
  private readonly trunks = new Map<string, Trunk>()
  /** When registrations are looked after next. */
  private next: { readonly at: number; readonly timer: Timer } | undefined

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"trunk.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { ari, media_timeout, now } = this.options
    const { target, trunk_id } = action
    return Effect.gen({ self: this }, function* () {
      const unfit = unfitTrunk(target) ?? (yield* this.lacking(target))
      if (unfit !== undefined) return unfit
      this.trunks.set(trunkEndpoint(trunk_id), {
        trunk_id,
        tenant_pbx_id,
        target,
        registered: undefined,
        patient_until: now() + actionTimeout_ms
      })
      const fault = yield* push(ari, putTrunk(action, { tenant_pbx_id, media_timeout }))
      if (isRegistering(target)) this.lookIn(soon_ms)
      return fault
    })
  }

  delete(trunk_id: string): Effect.Effect<string | undefined, AriAway> {
    this.trunks.delete(trunkEndpoint(trunk_id))
    return push(this.options.ari, deleteTrunk(trunk_id))
  }

  /** How it wants a caller's number shown; undefined where it is not here. */
  formatOf(trunk_id: string): string | undefined {
    return this.trunks.get(trunkEndpoint(trunk_id))?.target.caller_id_format
  }

  /** Whether the tenant has a trunk that may call from there. Several tenants may have the same provider. */
  admits(tenant_pbx_id: string, { address, endpoint }: Source): boolean {
    const host = this.trunks.get(endpoint)?.target.host.toLowerCase()
    return [...this.trunks.values()].some(
      ({ target: { allowed_ips, host: own }, tenant_pbx_id: owner }) =>
        owner === tenant_pbx_id &&
        (allowed_ips.length > 0 ? isWithin(allowed_ips, address) : own === address || own.toLowerCase() === host)
    )
  }

  /** Tells what was heard last, and asks again: what changes by that is told as well. Who is not registered tries by itself. */
  probe(trunk_id: string, tenant_pbx_id: string): Effect.Effect<void, AriAway> {
    const { ari, manager, now } = this.options
    const endpoint = trunkEndpoint(trunk_id)
    const trunk = this.trunks.get(endpoint)
    if (trunk !== undefined && isRegistering(trunk.target)) {
      trunk.registered = undefined
      return Effect.andThen(
        this.look(trunk),
        Effect.suspend(() => (trunk.registered === true ? this.registerAnew(trunk) : Effect.void))
      )
    }
    const heard = Effect.map(ari.request("GET", `/endpoints/PJSIP/${encodeURIComponent(endpoint)}`), ({ body }) =>
      this.is({ trunk_id, tenant_pbx_id }, isEndpoint(body) && body.state === "online", now())
    )
    return Effect.andThen(heard, Effect.ignore(manager.qualify(endpoint)))
  }

  /** Whether it was of a trunk. */
  contactChanged(
    { contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>,
    at: number
  ): boolean {
    const trunk = this.trunks.get(resource)
    if (trunk !== undefined && !isRegistering(trunk.target))
      this.is(trunk, contact_info.contact_status === "Reachable", at)
    return trunk !== undefined
  }

  /** What the trunk needs and this Asterisk has not. */
  private lacking({ auth_mode, transport }: TrunkTarget): Effect.Effect<string | undefined, AriAway> {
    const { ari, manager } = this.options
    return Effect.gen(function* () {
      const { status } = yield* ari.request("GET", `/asterisk/config/dynamic/res_pjsip/transport/${transport}`)
      if (status === 404) return `This Asterisk has no transport for ${transport}.`
      const tells = auth_mode !== "registration" || (yield* manager.registrations) !== undefined
      return tells ? undefined : "This Asterisk does not tell how registrations go."
    })
  }

  private registerAnew(trunk: Trunk): Effect.Effect<void> {
    const { manager, now } = this.options
    return Effect.ignore(manager.register(trunkEndpoint(trunk.trunk_id))).pipe(
      Effect.andThen(
        Effect.sync(() => {
          trunk.patient_until = now() + actionTimeout_ms
          this.lookIn(soon_ms)
        })
      )
    )
  }

  /** At the latest. */
  private lookIn(ms: number): void {
    const { now, run, timers } = this.options
    const at = now() + ms
    if (this.next !== undefined && this.next.at <= at) return
    if (this.next !== undefined) timers.cancel(this.next.timer)
    const timer = timers.set(at, () => {
      this.next = undefined
      run(Effect.ignore(this.look()))
    })
    this.next = { at, timer }
  }

  /** Tells of the registrations that have changed; and of this one, pending as it may be. */
  private look(asked?: Trunk): Effect.Effect<void, AriAway> {
    const registering = [...this.trunks].filter(([, { target }]) => isRegistering(target))
    if (registering.length === 0) return Effect.void
    const { manager, now } = this.options
    return manager.registrations.pipe(
      Effect.tapError(() => Effect.sync(() => this.lookIn(later_ms))),
      Effect.map((states) => {
        let soon = false
        for (const [endpoint, trunk] of registering) {
          const state = states?.get(endpoint) ?? pending
          const registered = state === "Registered"
          const awaited = state === pending && now() < trunk.patient_until
          soon ||= awaited
          if (trunk.registered === registered || (awaited && trunk !== asked)) continue
          trunk.registered = registered
          this.is(trunk, registered, now(), registered ? { sip_code: 200 } : {})
        }
        this.lookIn(soon ? soon_ms : later_ms)
      })
    )
  }

  private is(
    { tenant_pbx_id, trunk_id }: Pick<Trunk, "tenant_pbx_id" | "trunk_id">,
    reachable: boolean,
    at: number,
    told: { readonly sip_code?: number } = { sip_code: reachable ? 200 : 408 }
  ): void {
    this.options.report(tenant_pbx_id, "trunk.state", { trunk_id, reachable, ...told }, at)
  }
}
