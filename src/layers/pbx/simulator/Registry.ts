// The users and trunks of the simulated PBX.
import type { PbxEventData } from "../../../domain/pbx/PbxEvent.ts"
import type { TenantCommand } from "../../../domain/pbx/TenantCommand.ts"
import type { CredentialId, PbxTrunkId } from "../../../domain/BrandedIds.ts"

/** The registrar refuses this extension, for tests of refusals. */
export const refusedExtension = "0000"
/** Trunks to these hosts are refused, or never respond. */
const refusedHost = /^refused\./
const silentHost = /^silent\./
const defaultRegistration_seconds = 3_600

export interface RegistryOptions {
  readonly now: () => number
  readonly report: (tenant_pbx_id: string, type: "trunk.state", data: PbxEventData) => void
}

/** Who may register. */
export interface RegisteredUser {
  readonly tenant_pbx_id: string
  readonly username: string
  readonly passwords: ReadonlyArray<string>
}

export class Registry {
  /** By credential. */
  readonly users = new Map<CredentialId, RegisteredUser>()
  /** Hosts by trunk. */
  readonly trunks = new Map<PbxTrunkId, string>()
  /** How long the registrations of trunks last, in seconds. Those of other kinds have none. */
  private readonly registrations = new Map<PbxTrunkId, number>()
  /** Hosts that do not respond now, besides those that never do. */
  readonly silent = new Set<string>()
  /** A user may not be registered any more. */
  revoked: (username: string) => void = () => {}
  private readonly options: RegistryOptions

  constructor(options: RegistryOptions) {
    this.options = options
  }

  /** Carries out the command and returns undefined, or the reason for a refusal. Repeating a command has no effect. */
  carryOut({ action, tenant_pbx_id }: TenantCommand): string | undefined {
    switch (action.kind) {
      case "registrar.put": {
        if (action.extension === refusedExtension) return "The registrar refuses this extension."
        const { credential_id, password, previous_password, username } = action
        const passwords = previous_password === undefined ? [password] : [password, previous_password]
        this.users.set(credential_id, { tenant_pbx_id, username, passwords })
        return undefined
      }
      case "registrar.delete":
        this.users.delete(action.credential_id)
        this.revoked(action.username)
        return undefined
      case "trunk.put": {
        const { target, trunk_id } = action
        if (refusedHost.test(target.host)) return "The trunk cannot be set up."
        this.trunks.set(trunk_id, target.host)
        if (target.auth_mode === "registration")
          this.registrations.set(trunk_id, target.expires_seconds ?? defaultRegistration_seconds)
        return undefined
      }
      case "trunk.delete":
        this.trunks.delete(action.trunk_id)
        this.registrations.delete(action.trunk_id)
        return undefined
      case "trunk.probe":
        this.probe(tenant_pbx_id, action.trunk_id)
        return undefined
    }
  }

  userOf(username: string): RegisteredUser | undefined {
    return [...this.users.values()].find((user) => user.username === username)
  }

  private probe(tenant_pbx_id: string, trunk_id: PbxTrunkId): void {
    const host = this.trunks.get(trunk_id)
    const reachable = host !== undefined && !silentHost.test(host) && !this.silent.has(host)
    const seconds = reachable ? this.registrations.get(trunk_id) : undefined
    this.options.report(tenant_pbx_id, "trunk.state", {
      trunk_id,
      reachable,
      sip_code: reachable ? 200 : 408,
      ...(seconds !== undefined && {
        registered_until: new Date(this.options.now() + seconds * 1_000).toISOString()
      })
    })
  }
}
