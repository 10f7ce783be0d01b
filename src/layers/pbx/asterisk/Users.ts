// Who may register at an Asterisk, and who has.
import type { Effect } from "effect"
import type { AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./Registry.ts"
import { deleteUser, putUser, registered_seconds } from "./UserObjects.ts"

export class Users {
  private readonly options: RegistryOptions
  private readonly tenants = new Map<string, string>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"registrar.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    this.tenants.set(action.username, tenant_pbx_id)
    const { ari, media_timeout } = this.options
    return push(ari, putUser(action, { tenant_pbx_id, media_timeout }))
  }

  delete(username: string): Effect.Effect<string | undefined, AriAway> {
    this.tenants.delete(username)
    return push(this.options.ari, deleteUser(username))
  }

  told({ contact_info, endpoint: { resource } }: Extract<AriEvent, { type: "ContactStatusChange" }>, at: number): void {
    const { contact_status, uri } = contact_info
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
}
