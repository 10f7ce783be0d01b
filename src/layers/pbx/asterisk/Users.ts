// Who may register at an Asterisk, and who has.
import { Effect } from "effect"
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { AriAway } from "./Ari.ts"
import type { AriEvent } from "./AriEvent.ts"
import { type Contact, contactId, contactsOf, registrationOf } from "./Contacts.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import type { RegistryOptions } from "./Registry.ts"
import { deleteUser, deviceOf, putUser } from "./UserObjects.ts"

/** Asterisk says nothing of a registration that is refreshed, so it is asked shortly before the end. */
const before_end_ms = 2_000
const asked_at_once = 8

interface Known {
  readonly contact: Contact
  readonly timer: Timer
}

/** As the protocol has texts. */
const plain = (text: string): string => text.slice(0, 256).replaceAll(/[\0\p{Surrogate}]/gu, "")

const transportOf = (uri: string): string => (/;transport=([a-z]+)/i.exec(uri)?.[1] ?? "udp").toLowerCase()

export class Users {
  private readonly options: RegistryOptions
  private readonly tenants = new Map<string, string>()
  /** By user, by the contact's id. */
  private readonly known = new Map<string, Map<string, Known>>()

  constructor(options: RegistryOptions) {
    this.options = options
  }

  put(action: TenantActionOf<"registrar.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { username } = action
    const is_new = !this.tenants.has(username)
    this.tenants.set(username, tenant_pbx_id)
    const { ari, media_timeout } = this.options
    return Effect.tap(push(ari, putUser(action, { tenant_pbx_id, media_timeout })), () =>
      is_new ? Effect.sync(() => this.options.run(Effect.ignore(this.see(username)))) : Effect.void
    )
  }

  delete(username: string): Effect.Effect<string | undefined, AriAway> {
    this.tenants.delete(username)
    for (const { contact } of this.knownOf(username)) this.forget(contact)
    return push(this.options.ari, deleteUser(username))
  }

  /** Where the devices of the user are now: a phone, two, a browser. */
  contacts(username: string): Effect.Effect<ReadonlyArray<Contact>, AriAway> {
    return contactsOf(this.options, username)
  }

  /** After each connection: what was not told meanwhile is found out. */
  get seeAll(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const usernames = [...this.tenants.keys()]
      return Effect.forEach(usernames, (username) => Effect.ignore(this.see(username)), {
        concurrency: asked_at_once,
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
    if (contact_status === "Removed" || contact_status === "Unreachable") this.gone(contact, at)
    else this.options.run(Effect.ignore(this.look(contact, at)))
  }

  private knownOf(username: string): ReadonlyArray<Known> {
    return [...(this.known.get(username)?.values() ?? [])]
  }

  private find(contact: Contact): Known | undefined {
    return this.known.get(deviceOf(contact.endpoint).username)?.get(contactId(contact))
  }

  private see(username: string): Effect.Effect<void, AriAway> {
    return Effect.flatMap(this.contacts(username), (contacts) => {
      const at = this.options.now()
      const there = new Set(contacts.map(contactId))
      for (const { contact } of this.knownOf(username)) if (!there.has(contactId(contact))) this.gone(contact, at)
      return Effect.forEach(contacts, (contact) => this.look(contact, at), { discard: true })
    })
  }

  private look(contact: Contact, at: number): Effect.Effect<void, AriAway> {
    return Effect.map(registrationOf(this.options.ari, contact), (registration) => {
      if (registration === undefined) return this.find(contact) === undefined ? undefined : this.gone(contact, at)
      const { expires_at, user_agent } = registration
      this.forget(contact)
      const now = this.options.now()
      if (!(expires_at > now)) return undefined
      const timer = this.options.timers.set(Math.max(now + before_end_ms, expires_at - before_end_ms), () =>
        this.options.run(Effect.ignore(Effect.suspend(() => this.look(contact, this.options.now()))))
      )
      this.remember({ contact, timer })
      this.tell(contact, at, {
        registration: "registered",
        expires_at: new Date(expires_at).toISOString(),
        transport: transportOf(contact.uri),
        ...(user_agent !== undefined && { user_agent: plain(user_agent) })
      })
    })
  }

  private gone(contact: Contact, at: number): void {
    this.forget(contact)
    this.tell(contact, at, { registration: "unregistered" })
  }

  private remember(known: Known): void {
    const { username } = deviceOf(known.contact.endpoint)
    const devices = this.known.get(username) ?? new Map<string, Known>()
    this.known.set(username, devices.set(contactId(known.contact), known))
  }

  private forget(contact: Contact): void {
    const { username } = deviceOf(contact.endpoint)
    const devices = this.known.get(username)
    const known = devices?.get(contactId(contact))
    if (devices === undefined || known === undefined) return
    this.options.timers.cancel(known.timer)
    devices.delete(contactId(contact))
    if (devices.size === 0) this.known.delete(username)
  }

  private tell({ endpoint, uri }: Contact, at: number, what: object): void {
    const { username } = deviceOf(endpoint)
    const tenant_pbx_id = this.tenants.get(username)
    if (tenant_pbx_id === undefined) return
    this.options.report(tenant_pbx_id, "registration.changed", { username, contact: plain(uri), ...what }, at)
  }
}
