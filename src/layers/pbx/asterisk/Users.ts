// The users of an Asterisk and the registrations of their devices.
import { Effect } from "effect"
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { Attack } from "../../../domain/credentials/PasswordGuesses.ts"
import type { PbxEventData } from "../../../domain/pbx/PbxEvent.ts"
import type { AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { type Contact, contactId, contactsOf, registrationOf } from "./Contacts.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./RegistryOptions.ts"
import { deleteUser, deviceOf, putUser } from "./UserObjects.ts"

/** Asterisk does not report that a registration was refreshed, so it is checked this long before it expires. */
const checkBeforeExpiry_ms = 2_000
/** How many users are refreshed at once. */
const concurrency = 8

/** A device that is registered. */
interface Registered {
  readonly contact: Contact
  /** Checks the registration before it expires. */
  readonly timer: Timer
}

/** A text as the PBX protocol allows it. */
const plain = (text: string): string => text.slice(0, 256).replaceAll(/[\0\p{Surrogate}]/gu, "")

const transportOf = (uri: string): string => (/;transport=([a-z]+)/i.exec(uri)?.[1] ?? "udp").toLowerCase()

/** The host of a contact's URI. Asterisk has replaced it by the address that the device registered from. */
const addressOf = (uri: string): string => /@\[?([^\]:;]+(?::[^\];]*(?=\]))?)/.exec(uri)?.[1] ?? ""

export class Users {
  private readonly options: RegistryOptions
  /** Tenants by user name. */
  private readonly tenants = new Map<string, string>()
  /** By user name and contact id. */
  private readonly registered = new Map<string, Map<string, Registered>>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"registrar.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { username } = action
    const is_new = !this.tenants.has(username)
    this.tenants.set(username, tenant_pbx_id)
    const { ari, media_timeout } = this.options
    return Effect.tap(push(ari, putUser(action, { tenant_pbx_id, media_timeout })), () =>
      is_new ? Effect.sync(() => this.options.run(Effect.ignore(this.refresh(username)))) : Effect.void
    )
  }

  delete(username: string): Effect.Effect<string | undefined, AriAway> {
    this.tenants.delete(username)
    for (const { contact } of this.registeredOf(username)) this.forget(contact)
    return push(this.options.ari, deleteUser(username))
  }

  /** The contacts of all devices of the user. */
  contacts(username: string): Effect.Effect<ReadonlyArray<Contact>, AriAway> {
    return contactsOf(this.options, username)
  }

  /** Finds the changes that were missed while there was no connection. */
  get refreshAll(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const usernames = [...this.tenants.keys()]
      return Effect.forEach(usernames, (username) => Effect.ignore(this.refresh(username)), {
        concurrency,
        discard: true
      })
    })
  }

  contactChanged(
    {
      contact_info: { contact_status, uri },
      endpoint: { resource }
    }: Extract<AriEvent, { type: "ContactStatusChange" }>,
    at: number
  ): void {
    const contact = { endpoint: resource, uri }
    if (!this.tenants.has(deviceOf(resource).username)) return
    if (contact_status === "Removed" || contact_status === "Unreachable") this.reportUnregistered(contact, at)
    else this.options.run(Effect.ignore(this.check(contact, at)))
  }

  /** The addresses from which devices are registered. */
  get addresses(): ReadonlyArray<string> {
    return [...this.registered.values()].flatMap((contacts) =>
      [...contacts.values()].map(({ contact: { uri } }) => addressOf(uri))
    )
  }

  /** Whether there is a user of this name. */
  has(username: string): boolean {
    return this.tenants.has(username)
  }

  /** Reports that somebody guesses the password of the user. */
  reportAttack({ addresses, attempts, credential, since }: Attack, at: number): void {
    const tenant_pbx_id = this.tenants.get(credential)
    if (tenant_pbx_id === undefined) return
    const data = { username: credential, attempts, since: new Date(since).toISOString(), addresses }
    this.options.report(tenant_pbx_id, "registration.attacked", data, at)
  }

  private registeredOf(username: string): ReadonlyArray<Registered> {
    return [...(this.registered.get(username)?.values() ?? [])]
  }

  private find(contact: Contact): Registered | undefined {
    return this.registered.get(deviceOf(contact.endpoint).username)?.get(contactId(contact))
  }

  private refresh(username: string): Effect.Effect<void, AriAway> {
    return Effect.flatMap(this.contacts(username), (contacts) => {
      const at = this.options.now()
      const present = new Set(contacts.map(contactId))
      for (const { contact } of this.registeredOf(username))
        if (!present.has(contactId(contact))) this.reportUnregistered(contact, at)
      return Effect.forEach(contacts, (contact) => this.check(contact, at), { discard: true })
    })
  }

  private check(contact: Contact, at: number): Effect.Effect<void, AriAway> {
    return Effect.map(registrationOf(this.options.ari, contact), (registration) => {
      if (registration === undefined)
        return this.find(contact) === undefined ? undefined : this.reportUnregistered(contact, at)
      const { expires_at, user_agent } = registration
      this.forget(contact)
      const now = this.options.now()
      if (!(expires_at > now)) return undefined
      const check_at = Math.max(now + checkBeforeExpiry_ms, expires_at - checkBeforeExpiry_ms)
      const timer = this.options.timers.set(check_at, () =>
        this.options.run(Effect.ignore(Effect.suspend(() => this.check(contact, this.options.now()))))
      )
      this.remember({ contact, timer })
      this.report(contact, at, {
        registration: "registered",
        expires_at: new Date(expires_at).toISOString(),
        transport: transportOf(contact.uri),
        ...(user_agent !== undefined && { user_agent: plain(user_agent) })
      })
    })
  }

  private reportUnregistered(contact: Contact, at: number): void {
    this.forget(contact)
    this.report(contact, at, { registration: "unregistered" })
  }

  private remember(device: Registered): void {
    const { username } = deviceOf(device.contact.endpoint)
    const devices = this.registered.get(username) ?? new Map<string, Registered>()
    this.registered.set(username, devices.set(contactId(device.contact), device))
  }

  private forget(contact: Contact): void {
    const { username } = deviceOf(contact.endpoint)
    const devices = this.registered.get(username)
    const device = devices?.get(contactId(contact))
    if (devices === undefined || device === undefined) return
    this.options.timers.cancel(device.timer)
    devices.delete(contactId(contact))
    if (devices.size === 0) this.registered.delete(username)
  }

  private report({ endpoint, uri }: Contact, at: number, data: PbxEventData): void {
    const { username } = deviceOf(endpoint)
    const tenant_pbx_id = this.tenants.get(username)
    if (tenant_pbx_id === undefined) return
    this.options.report(tenant_pbx_id, "registration.changed", { username, contact: plain(uri), ...data }, at)
  }
}
