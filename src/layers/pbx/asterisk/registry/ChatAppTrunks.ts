// The trunks of a chat app's provider: one for each number of a business (docs/chat-app.md).
import { Effect, Schema } from "effect"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import type { AriEvent } from "../ari/AriEvent.ts"
import { isOn, namesIn, readObject } from "../ari/AsteriskObjects.ts"
import {
  chatAppFault,
  type ChatAppPut,
  deleteChatApp,
  incomingEndpoint,
  putChatApp,
  qualifyTimeout_seconds
} from "./ChatAppObjects.ts"
import { push } from "./Provisioning.ts"
import type { RegistryOptions } from "./RegistryOptions.ts"
import { trunkEndpoint } from "./TrunkObjects.ts"

/** A trunk, and to whom the calls belong that come in over it. */
export interface ChatAppTrunk {
  readonly trunk_id: PbxTrunkId
  readonly tenant_pbx_id: string
  /** The number of the business, in E.164. */
  readonly number: string
  /** The addresses and ranges that may call; none: any, because the password decides. */
  readonly allowed_ips: ReadonlyArray<string>
}

interface Trunk extends ChatAppTrunk {
  readonly host: string
  readonly port: number
  /** How often its state was reported or looked into: the newest finding counts. */
  looks: number
}

const Endpoint = Schema.Struct({ state: Schema.String })
const isEndpoint = Schema.is(Endpoint)

/** While a probe waits for the provider's answer. */
const look_ms = 250
const looksMax = ((qualifyTimeout_seconds + 1) * 1_000) / look_ms

const isOnline = (ari: Ari, endpoint: string): Effect.Effect<boolean, AriAway> =>
  Effect.map(
    ari.request("GET", `/endpoints/PJSIP/${encodeURIComponent(endpoint)}`),
    ({ body }) => isEndpoint(body) && body.state === "online"
  )

export class ChatAppTrunks {
  private readonly options: RegistryOptions
  /** By the endpoint of outgoing calls. */
  private readonly trunks = new Map<string, Trunk>()
  /** By the endpoint of incoming calls: the newest trunk of the number. */
  private readonly incoming = new Map<string, Trunk>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: ChatAppPut, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { ari, media_timeout } = this.options
    const { chatapp, target, trunk_id } = action
    return Effect.gen({ self: this }, function* () {
      const fault = chatAppFault(action) ?? (yield* this.missingSupport)
      if (fault !== undefined) return fault
      const { number } = chatapp
      const { allowed_ips, host, port } = target
      const trunk: Trunk = { trunk_id, tenant_pbx_id, number, host, port, allowed_ips, looks: 0 }
      this.trunks.set(trunkEndpoint(trunk_id), trunk)
      const refusal = yield* push(ari, putChatApp(action, { tenant_pbx_id, media_timeout }))
      if (refusal === undefined) this.incoming.set(incomingEndpoint(number), trunk)
      return refusal
    })
  }

  /** The number may have a newer trunk. An engine before this one may have set the trunk up. */
  delete(trunk_id: PbxTrunkId): Effect.Effect<string | undefined, AriAway> {
    const { ari } = this.options
    const id = trunkEndpoint(trunk_id)
    return Effect.gen({ self: this }, function* () {
      this.trunks.delete(id)
      for (const [endpoint, trunk] of this.incoming) if (trunk.trunk_id === trunk_id) this.incoming.delete(endpoint)
      const endpoint = (yield* readObject(ari, "auth", id))?.get("username") ?? ""
      const owners = endpoint === "" ? [] : namesIn(yield* readObject(ari, "endpoint", endpoint), "auth")
      if (owners.includes(id)) yield* push(ari, [{ type: "endpoint", id: endpoint }])
      return yield* push(ari, deleteChatApp(trunk_id))
    })
  }

  /** The trunk whose password was used, by the endpoint of the call; undefined: it is no endpoint of these. */
  trunkOf(endpoint: string): ChatAppTrunk | undefined {
    return this.incoming.get(endpoint)
  }

  /** Asks the provider, and reports whether it has answered. */
  probe(trunk_id: PbxTrunkId, tenant_pbx_id: string): Effect.Effect<void> {
    const { ari, manager, now, run } = this.options
    const endpoint = trunkEndpoint(trunk_id)
    return Effect.sync(() => {
      const trunk = this.trunks.get(endpoint)
      if (trunk === undefined) return this.report({ trunk_id, tenant_pbx_id }, false, now())
      const look = ++trunk.looks
      const asked = Effect.gen({ self: this }, function* () {
        yield* manager.qualify(endpoint)
        for (let n = 0; n < looksMax; n++) {
          if (trunk.looks !== look) return
          if (yield* isOnline(ari, endpoint)) return this.report(trunk, true, now())
          yield* Effect.sleep(look_ms)
        }
        yield* this.unreachable(trunk, look)
      })
      // Other commands do not wait for a provider.
      run(Effect.ignore(asked))
    })
  }

  /** Returns whether the event is about one of these trunks. */
  contactChanged(
    { contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>,
    at: number
  ): boolean {
    const trunk = this.trunks.get(resource)
    if (trunk === undefined) return false
    const { contact_status } = contact_info
    if (contact_status === "Reachable") {
      trunk.looks++
      this.report(trunk, true, at)
    }
    if (contact_status === "Unreachable") this.options.run(this.unreachable(trunk, ++trunk.looks))
    return true
  }

  /** Reports why the provider is not reached, unless there is news of it meanwhile. */
  private unreachable(trunk: Trunk, look: number): Effect.Effect<void> {
    const { ari, certificateFault, now } = this.options
    return Effect.gen({ self: this }, function* () {
      const { host, port } = trunk
      const authorities = (yield* readObject(ari, "transport", "tls"))?.get("ca_list_file") || undefined
      const reason = yield* certificateFault({ host, port, authorities })
      if (trunk.looks !== look || this.trunks.get(trunkEndpoint(trunk.trunk_id)) !== trunk) return
      this.report(trunk, false, now(), reason)
    }).pipe(Effect.ignore)
  }

  /** What these trunks need and this Asterisk lacks. */
  private get missingSupport(): Effect.Effect<string | undefined, AriAway> {
    const { ari } = this.options
    return Effect.gen(function* () {
      const transport = yield* readObject(ari, "transport", "tls")
      if (transport === undefined) return "This Asterisk has no transport for tls."
      if (!isOn(transport, "verify_server"))
        return "The transport tls of this Asterisk does not verify certificates. Set verify_server = yes."
      const { status } = yield* ari.request("GET", "/asterisk/modules/res_srtp.so")
      return status === 404 ? "This Asterisk has no SRTP. Load the module res_srtp." : undefined
    })
  }

  private report(
    { tenant_pbx_id, trunk_id }: Pick<Trunk, "tenant_pbx_id" | "trunk_id">,
    reachable: boolean,
    at: number,
    reason?: string
  ): void {
    const data = { trunk_id, reachable, sip_code: reachable ? 200 : 408, ...(reason !== undefined && { reason }) }
    this.options.report(tenant_pbx_id, "trunk.state", data, at)
  }
}
