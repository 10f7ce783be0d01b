// Who may register at an Asterisk and which trunks it has: pushed by ARI into its memory, and again after each of its starts.
import { Effect } from "effect"
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import type { TenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import type { Ari, AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import type { Manager } from "./Manager.ts"
import { Trunks } from "./Trunks.ts"
import { Users } from "./Users.ts"

export interface RegistryOptions {
  readonly ari: Ari
  readonly app: string
  readonly manager: Manager
  readonly report: (tenant_pbx_id: string, type: PbxEventType, data: PbxEventData, at: number) => void
  readonly now: () => number
  readonly media_timeout: boolean
  readonly run: (effect: Effect.Effect<void>) => void
  readonly timers: Timers
  readonly uuid: () => string
}

export class Registry {
  readonly users: Users
  readonly trunks: Trunks

  constructor(options: RegistryOptions) {
    this.users = new Users(options)
    this.trunks = new Trunks(options)
  }

  /** Carries the command out, or says why it cannot be. Twice is as once; where Asterisk cannot be asked, it comes again. */
  carryOut({ action, tenant_pbx_id }: TenantCommand): Effect.Effect<string | undefined, AriAway> {
    switch (action.kind) {
      case "registrar.put":
        return this.users.put(action, tenant_pbx_id)
      case "registrar.delete":
        return this.users.delete(action.username)
      case "trunk.put":
        return this.trunks.put(action, tenant_pbx_id)
      case "trunk.delete":
        return this.trunks.delete(action.trunk_id)
      case "trunk.probe":
        return Effect.as(this.trunks.probe(action.trunk_id, tenant_pbx_id), undefined)
    }
  }

  contactChanged(event: Extract<AriEvent, { type: "ContactStatusChange" }>, at: number): void {
    if (!this.trunks.contactChanged(event, at)) this.users.contactChanged(event, at)
  }
}
