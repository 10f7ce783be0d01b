// The users and trunks of an Asterisk. They are pushed into its memory by ARI, and again after each of its restarts.
import { Effect } from "effect"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"
import type { TenantCommand } from "../../../../domain/pbx/TenantCommand.ts"
import type { AriAway } from "../ari/Ari.ts"
import type { AriEvent } from "../ari/AriEvent.ts"
import { isChatAppPut, isChatAppTrunk } from "./ChatAppObjects.ts"
import { ChatAppTrunks } from "./ChatAppTrunks.ts"
import type { RegistryOptions } from "./RegistryOptions.ts"
import { Trunks } from "./Trunks.ts"
import { Users } from "./Users.ts"

export class Registry {
  readonly users: Users
  readonly trunks: Trunks
  readonly chat_apps: ChatAppTrunks

  constructor(options: RegistryOptions) {
    this.users = new Users(options)
    this.trunks = new Trunks(options)
    this.chat_apps = new ChatAppTrunks(options)
  }

  /**
   * Carries out a tenant command and returns undefined, or the reason for a refusal. Repeating a command has no further
   * effect. Fails if Asterisk is unreachable: then the engine repeats the command.
   */
  carryOut({ action, tenant_pbx_id }: TenantCommand): Effect.Effect<string | undefined, AriAway> {
    switch (action.kind) {
      case "registrar.put":
        return this.users.put(action, tenant_pbx_id)
      case "registrar.delete":
        return this.users.delete(action.username)
      case "trunk.put":
        return isChatAppPut(action) ? this.chat_apps.put(action, tenant_pbx_id) : this.trunks.put(action, tenant_pbx_id)
      case "trunk.delete":
        return this.trunksWith(action.trunk_id).delete(action.trunk_id)
      case "trunk.probe":
        return Effect.as(this.trunksWith(action.trunk_id).probe(action.trunk_id, tenant_pbx_id), undefined)
    }
  }

  contactChanged(event: Extract<AriEvent, { type: "ContactStatusChange" }>, at: number): void {
    if (!this.trunks.contactChanged(event, at) && !this.chat_apps.contactChanged(event, at))
      this.users.contactChanged(event, at)
  }

  private trunksWith(trunk_id: PbxTrunkId): ChatAppTrunks | Trunks {
    return isChatAppTrunk(trunk_id) ? this.chat_apps : this.trunks
  }
}
