// The trunks of an Asterisk: their tenants, and whether they are reachable.
import { Effect, Schema } from "effect"
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { TrunkTarget } from "../../../../domain/pbx/TenantCommand.ts"
import {
  firstLook,
  isTooOften,
  nextLook,
  type RegistrationRate,
  registersTooOften
} from "../../../../domain/trunks/RegistrationRate.ts"
import { knownAddresses } from "../../../../domain/trunks/KnownAddresses.ts"
import type { AriAway } from "../ari/Ari.ts"
import type { AriEvent } from "../ari/AriEvent.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./RegistryOptions.ts"
import {
  deleteTrunk,
  isRegistering,
  platformFault,
  putTrunk,
  shareTrunks,
  sourcesOf,
  trunkEndpoint,
  unsupportedTrunk
} from "./TrunkObjects.ts"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"
import { TrunkSources } from "./TrunkSources.ts"

interface Trunk {
  readonly trunk_id: PbxTrunkId
  readonly tenant_pbx_id: string
  readonly target: TrunkTarget
  /** Whether its host answered when it was last asked. */
  answers: boolean
  /** Whether its calls come in over the endpoint for shared addresses. */
  is_shared: boolean
  /** The state of its registration that was last reported. */
  registered: boolean | undefined
  /** Until when it was last reported as registered. Epoch milliseconds. */
  registered_until: number | undefined
  /** Undefined until its registration was looked at. */
  rate: RegistrationRate | undefined
  /** Until then, a registration in progress is not reported as failed. Epoch milliseconds. */
  pending_until: number
}

const Endpoint = Schema.Struct({ state: Schema.String })
const isEndpoint = Schema.is(Endpoint)

/** How often registrations are checked: while one is in progress, and otherwise. */
const pendingCheck_ms = 1_000
const check_ms = 15_000
const registrationTimeout_ms = 60_000
/** Asterisk tells whole seconds, so the end of one registration seems to move by this much. */
const renewed_ms = 3_000
/** How long a workspace whose trunk was withdrawn may set up no other that registers. */
const withdrawnFor_ms = 15 * 60_000
/** Asterisk's state of a registration in progress. */
const pending = "Unregistered"

export class Trunks {
  private readonly options: RegistryOptions
  /** By endpoint. */
  private readonly trunks = new Map<string, Trunk>()
  /** By tenant: until when it may set up no trunk that registers. Epoch milliseconds. */
  private readonly withdrawn = new Map<string, number>()
  private readonly sources = new TrunkSources<Trunk>()
  /** The next check of registrations. */
  private next: { readonly at: number; readonly timer: Timer } | undefined

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"trunk.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { ari, media_timeout, now, platform } = this.options
    const { target, trunk_id } = action
    return Effect.gen({ self: this }, function* () {
      if (isRegistering(target) && now() < (this.withdrawn.get(tenant_pbx_id) ?? -Infinity)) {
        this.report({ trunk_id, tenant_pbx_id }, false, now(), { reason: registersTooOften })
        return "The registrar made the PBX register too often. It may be tried again after 15 minutes."
      }
      const unsupported =
        unsupportedTrunk(target) ?? platformFault(target, yield* platform) ?? (yield* this.missingSupport(target))
      if (unsupported !== undefined) return unsupported
      const trunk: Trunk = {
        is_shared: false,
        trunk_id,
        tenant_pbx_id,
        target,
        answers: false,
        registered: undefined,
        registered_until: undefined,
        rate: undefined,
        pending_until: now() + registrationTimeout_ms
      }
      this.trunks.set(trunkEndpoint(trunk_id), trunk)
      this.sources.set(trunk_id, trunk, sourcesOf(target))
      const is_shared = this.sharing(trunk).length > 0
      const objects = putTrunk(action, { tenant_pbx_id, media_timeout }, is_shared)
      const pushed = yield* push(ari, is_shared ? [...shareTrunks([], media_timeout), ...objects] : objects)
      // Another tenant's trunk may have been put meanwhile.
      trunk.is_shared = is_shared
      const fault = pushed ?? (yield* this.share(trunk))
      if (isRegistering(target)) this.checkWithin(pendingCheck_ms)
      return fault
    })
  }

  delete(trunk_id: PbxTrunkId): Effect.Effect<string | undefined, AriAway> {
    this.trunks.delete(trunkEndpoint(trunk_id))
    this.sources.delete(trunk_id)
    return push(this.options.ari, deleteTrunk(trunk_id))
  }

  /** The trunk's format of caller ids; undefined if there is no such trunk. */
  formatOf(trunk_id: PbxTrunkId): string | undefined {
    return this.trunks.get(trunkEndpoint(trunk_id))?.target.caller_id_format
  }

  /** The addresses of trunks whose hosts answer. */
  get addresses(): ReadonlyArray<string> {
    return [...this.trunks.values()].flatMap(({ answers, target }) => (answers ? knownAddresses(target) : []))
  }

  /** The endpoints of the tenant's trunks. */
  endpointsOf(tenant_pbx_id: string): ReadonlyArray<string> {
    return [...this.trunks].flatMap(([endpoint, trunk]) => (trunk.tenant_pbx_id === tenant_pbx_id ? [endpoint] : []))
  }

  /** The tenants whose trunks take calls from the address. */
  tenantsAt(address: string): ReadonlyArray<string> {
    return [...new Set(this.sources.meeting([address]).map(({ tenant_pbx_id }) => tenant_pbx_id))]
  }

  /**
   * Reports the last known state and checks again; a change is reported too. A registered trunk registers again; one
   * that is not registered keeps trying by itself.
   */
  probe(trunk_id: PbxTrunkId, tenant_pbx_id: string): Effect.Effect<void, AriAway> {
    const { ari, manager, now } = this.options
    const endpoint = trunkEndpoint(trunk_id)
    const trunk = this.trunks.get(endpoint)
    if (trunk !== undefined && isRegistering(trunk.target)) {
      trunk.registered = undefined
      return Effect.andThen(
        this.checkRegistrations(trunk),
        Effect.suspend(() => (trunk.registered === true ? this.registerAgain(trunk) : Effect.void))
      )
    }
    const known = Effect.map(ari.request("GET", `/endpoints/PJSIP/${encodeURIComponent(endpoint)}`), ({ body }) =>
      this.report({ trunk_id, tenant_pbx_id }, isEndpoint(body) && body.state === "online", now())
    )
    return Effect.andThen(known, Effect.ignore(manager.qualify(endpoint)))
  }

  /** Returns whether the event is about a trunk. */
  contactChanged(
    { contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>,
    at: number
  ): boolean {
    const trunk = this.trunks.get(resource)
    if (trunk !== undefined && !isRegistering(trunk.target))
      this.report(trunk, contact_info.contact_status === "Reachable", at)
    return trunk !== undefined
  }

  /** The trunks of other tenants that have an address in common with it. */
  private sharing(trunk: Trunk): ReadonlyArray<Trunk> {
    return this.sources
      .meeting(sourcesOf(trunk.target))
      .filter(({ tenant_pbx_id }) => tenant_pbx_id !== trunk.tenant_pbx_id)
  }

  /** Moves the calls of all trunks that share an address of another tenant's to the endpoint for such addresses. */
  private share(trunk: Trunk): Effect.Effect<string | undefined, AriAway> {
    const { ari, media_timeout } = this.options
    const others = this.sharing(trunk)
    const moving = others.length === 0 ? [] : [...others, trunk].filter(({ is_shared }) => !is_shared)
    if (moving.length === 0) return Effect.succeed(undefined)
    for (const each of moving) each.is_shared = true
    return push(ari, shareTrunks(moving, media_timeout))
  }

  /** What the trunk needs and this Asterisk lacks; undefined if nothing. */
  private missingSupport({ auth_mode, transport }: TrunkTarget): Effect.Effect<string | undefined, AriAway> {
    const { ari, manager } = this.options
    return Effect.gen(function* () {
      const { status } = yield* ari.request("GET", `/asterisk/config/dynamic/res_pjsip/transport/${transport}`)
      if (status === 404) return `This Asterisk has no transport for ${transport}.`
      const reports = auth_mode !== "registration" || (yield* manager.registrations) !== undefined
      return reports ? undefined : "This Asterisk does not report the state of registrations."
    })
  }

  private registerAgain(trunk: Trunk): Effect.Effect<void> {
    const { manager, now } = this.options
    return Effect.ignore(manager.register(trunkEndpoint(trunk.trunk_id))).pipe(
      Effect.andThen(
        Effect.sync(() => {
          trunk.pending_until = now() + registrationTimeout_ms
          this.checkWithin(pendingCheck_ms)
        })
      )
    )
  }

  /** Checks registrations after this time at the latest. */
  private checkWithin(ms: number): void {
    const { now, run, timers } = this.options
    const at = now() + ms
    if (this.next !== undefined && this.next.at <= at) return
    if (this.next !== undefined) timers.cancel(this.next.timer)
    const timer = timers.set(at, () => {
      this.next = undefined
      run(Effect.ignore(this.checkRegistrations()))
    })
    this.next = { at, timer }
  }

  /** Reports the registrations that have changed, and always that of `probed`, even if it is in progress. */
  private checkRegistrations(probed?: Trunk): Effect.Effect<void, AriAway> {
    const registering = [...this.trunks].filter(([, { target }]) => isRegistering(target))
    if (registering.length === 0) return Effect.void
    const { manager, now } = this.options
    const { registrations, registrationsHandled, registrationsLeft_s } = manager
    return Effect.all([registrations, registrationsLeft_s, registrationsHandled]).pipe(
      Effect.tapError(() => Effect.sync(() => this.checkWithin(check_ms))),
      Effect.flatMap(([states, left_s, handled]) => {
        const hasty: Array<Trunk> = []
        let anyPending = false
        for (const [endpoint, trunk] of registering) {
          const state = states?.get(endpoint) ?? pending
          const registered = state === "Registered"
          const left = registered ? left_s.get(endpoint) : undefined
          const until = left === undefined ? undefined : now() + left * 1_000
          const look = { at: now(), handled: handled.get(endpoint) ?? 0, renewed_at: until }
          trunk.rate = trunk.rate === undefined ? firstLook(look) : nextLook(trunk.rate, look)
          if (isTooOften(trunk.rate)) {
            hasty.push(trunk)
            continue
          }
          const isPending = state === pending && now() < trunk.pending_until
          anyPending ||= isPending
          const isRenewed = until !== undefined && Math.abs(until - (trunk.registered_until ?? 0)) > renewed_ms
          if ((trunk.registered === registered && !isRenewed) || (isPending && trunk !== probed)) continue
          trunk.registered = registered
          trunk.registered_until = until
          this.report(trunk, registered, now(), {
            ...(registered && { sip_code: 200 }),
            ...(until !== undefined && { registered_until: new Date(until).toISOString() })
          })
        }
        this.checkWithin(anyPending ? pendingCheck_ms : check_ms)
        return Effect.forEach(hasty, (trunk) => this.withdraw(trunk), { discard: true })
      })
    )
  }

  /** Takes a trunk down whose registrar makes Asterisk register too often. */
  private withdraw({ target, tenant_pbx_id, trunk_id }: Trunk): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      const at = this.options.now()
      for (const [tenant, until] of this.withdrawn) if (until <= at) this.withdrawn.delete(tenant)
      this.withdrawn.set(tenant_pbx_id, at + withdrawnFor_ms)
      this.report({ trunk_id, tenant_pbx_id }, false, at, { reason: registersTooOften })
      yield* Effect.annotateLogs(
        Effect.logWarning("A trunk is withdrawn: its registrar makes Asterisk register too often"),
        {
          trunk: trunk_id,
          registrar: target.host
        }
      )
      yield* this.delete(trunk_id)
    })
  }

  private report(
    { tenant_pbx_id, trunk_id }: Pick<Trunk, "tenant_pbx_id" | "trunk_id">,
    reachable: boolean,
    at: number,
    data: { readonly sip_code?: number; readonly registered_until?: string; readonly reason?: string } = {
      sip_code: reachable ? 200 : 408
    }
  ): void {
    const trunk = this.trunks.get(trunkEndpoint(trunk_id))
    if (trunk !== undefined) trunk.answers = reachable
    this.options.report(tenant_pbx_id, "trunk.state", { trunk_id, reachable, ...data }, at)
  }
}
