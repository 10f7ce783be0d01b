// The users of an Asterisk and the registrations of their devices.
import { Effect } from "effect"
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { Attack } from "../../../../domain/pbx/PasswordGuesses.ts"
import type { PbxEventData } from "../../../../domain/pbx/PbxEvent.ts"
import {
  type ContactVerdict,
  type DeviceAddress,
  judgeContact,
  oneForEach,
  readDeviceContact
} from "../../../../domain/credentials/DeviceContact.ts"
import type { AriAway } from "../ari/Ari.ts"
import type { AriEvent } from "../ari/AriEvent.ts"
import { type Contact, contactId, contactsOf, type Registration, registrationOf, removeContact } from "./Contacts.ts"
import { type EndpointAddress, ProvenAddresses } from "./ProvenAddresses.ts"
import { push, type TenantActionOf } from "./Provisioning.ts"
import { makeDeviceHosts } from "./ReadDeviceHosts.ts"
import type { RegistryOptions } from "./RegistryOptions.ts"
import { deleteUser, deviceOf, putUser } from "./UserObjects.ts"

/** Asterisk does not report that a registration was refreshed, so it is checked this long before it expires. */
const checkBeforeExpiry_ms = 2_000
/** How many users are refreshed at once. */
const concurrency = 8

/** How many contacts wait for the proof of their address: the oldest is forgotten first. */
const unprovenMax = 10_000

/** A device that is registered. */
interface Registered {
  readonly contact: Contact
  readonly address: DeviceAddress | undefined
  /** Checks the registration before it expires. */
  readonly timer: Timer
}

/** A text as the PBX protocol allows it. */
const plain = (text: string): string => text.slice(0, 256).replaceAll(/[\0\p{Surrogate}]/gu, "")

const transportOf = (uri: string): string => (/;transport=([a-z]+)/i.exec(uri)?.[1] ?? "udp").toLowerCase()

export class Users {
  private readonly options: RegistryOptions
  /** Tenants by user name. */
  private readonly tenants = new Map<string, string>()
  /** By user name and contact id. */
  private readonly registered = new Map<string, Map<string, Registered>>()
  /** Contacts whose address is not proven yet, by contact id. */
  private readonly unproven = new Map<string, Contact>()
  /** The latest check of each contact that is under way, by contact id. */
  private readonly checks = new Map<string, object>()
  private readonly proven: ProvenAddresses
  private readonly hosts: ReturnType<typeof makeDeviceHosts>

  constructor(options: RegistryOptions) {
    this.options = options
    this.proven = new ProvenAddresses(options.ari)
    this.hosts = makeDeviceHosts(options)
  }

  put(action: TenantActionOf<"registrar.put">, tenant_pbx_id: string): Effect.Effect<string | undefined, AriAway> {
    const { username } = action
    const is_new = !this.tenants.has(username)
    this.tenants.set(username, tenant_pbx_id)
    const { ari, media_timeout } = this.options
    return Effect.tap(push(ari, putUser(action, { tenant_pbx_id, media_timeout })), () =>
      is_new
        ? Effect.sync(() =>
            this.options.run(Effect.ignore(Effect.andThen(this.proven.load(username), this.refresh(username))))
          )
        : Effect.void
    )
  }

  delete(username: string): Effect.Effect<string | undefined, AriAway> {
    this.tenants.delete(username)
    for (const { contact } of this.registeredOf(username)) this.forget(contact)
    return Effect.andThen(this.proven.forget(username), push(this.options.ari, deleteUser(username)))
  }

  /** The contacts of the user's devices that may be called: one of each registration. */
  contacts(username: string): Effect.Effect<ReadonlyArray<Contact>, AriAway> {
    return Effect.flatMap(Effect.andThen(this.proven.load(username), contactsOf(this.options, username)), (contacts) =>
      Effect.map(
        Effect.filter(contacts, (contact) => Effect.map(this.judge(contact, contact), (is) => is === "called")),
        oneForEach
      )
    )
  }

  /** Finds the changes that were missed while there was no connection. */
  get refreshAll(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const usernames = [...this.tenants.keys()]
      return Effect.forEach(
        usernames,
        (username) => Effect.ignore(Effect.andThen(this.proven.keepAgain(username), this.refresh(username))),
        { concurrency, discard: true }
      )
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
      [...contacts.values()].flatMap(({ address }) => address?.address ?? [])
    )
  }

  /** Takes note that a device has authenticated by a UDP packet from this address. */
  authenticated(from: EndpointAddress): void {
    if (!this.tenants.has(deviceOf(from.endpoint).username)) return
    const at = this.options.now()
    this.proven.add(from, at)
    // A contact that stays unproven is added again, so the list is taken before.
    const waiting = [...this.unproven.values()].filter(({ endpoint }) => endpoint === from.endpoint)
    for (const contact of waiting) this.options.run(Effect.ignore(this.check(contact, at)))
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

  private udpAddressesOf(username: string): ReadonlyArray<EndpointAddress> {
    return this.registeredOf(username).flatMap(({ address, contact: { endpoint } }) =>
      address?.transport === "udp" ? [{ endpoint, ...address }] : []
    )
  }

  private find(contact: Contact): Registered | undefined {
    return this.registered.get(deviceOf(contact.endpoint).username)?.get(contactId(contact))
  }

  private refresh(username: string): Effect.Effect<void, AriAway> {
    return Effect.flatMap(contactsOf(this.options, username), (contacts) => {
      const at = this.options.now()
      const present = new Set(contacts.map(contactId))
      for (const { contact } of this.registeredOf(username))
        if (!present.has(contactId(contact))) this.reportUnregistered(contact, at)
      return Effect.andThen(
        Effect.forEach(contacts, (contact) => this.check(contact, at), { discard: true }),
        Effect.suspend(() => this.proven.keepOnly(username, this.udpAddressesOf(username)))
      )
    })
  }

  private judge(contact: Contact, registration: Registration): Effect.Effect<ContactVerdict, AriAway> {
    const { endpoint, uri } = contact
    return Effect.map(this.hosts, (hosts) =>
      judgeContact({ uri, is_own_connection: registration.is_own_connection }, hosts, (address) =>
        this.proven.has({ endpoint, ...address }, this.options.now())
      )
    )
  }

  /** What Asterisk has answered counts only if no later news of the contact came meanwhile. */
  private check(contact: Contact, at: number): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      const id = contactId(contact)
      const own = {}
      this.checks.set(id, own)
      const end = Effect.sync(() => {
        if (this.checks.get(id) === own) this.checks.delete(id)
      })
      const asked = Effect.gen({ self: this }, function* () {
        const registration = yield* registrationOf(this.options.ari, contact)
        const verdict = registration === undefined ? undefined : yield* this.judge(contact, registration)
        if (this.checks.get(id) === own) yield* this.checked(contact, at, registration, verdict)
      })
      return Effect.ensuring(asked, end)
    })
  }

  private checked(
    contact: Contact,
    at: number,
    registration: Registration | undefined,
    verdict: ContactVerdict | undefined
  ): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      this.unproven.delete(contactId(contact))
      if (registration === undefined || verdict !== "called") {
        if (this.find(contact) !== undefined) this.reportUnregistered(contact, at)
        if (verdict === "refused") yield* this.refuse(contact)
        if (verdict === "unproven") this.awaitProof(contact)
        return
      }
      const { expires_at, user_agent } = registration
      this.forget(contact)
      const now = this.options.now()
      if (!(expires_at > now)) return
      const check_at = Math.max(now + checkBeforeExpiry_ms, expires_at - checkBeforeExpiry_ms)
      const timer = this.options.timers.set(check_at, () =>
        this.options.run(Effect.ignore(Effect.suspend(() => this.check(contact, this.options.now()))))
      )
      const address = readDeviceContact(contact.uri)
      this.remember({ contact, address, timer })
      this.report(contact, at, {
        registration: "registered",
        expires_at: new Date(expires_at).toISOString(),
        transport: transportOf(contact.uri),
        ...(user_agent !== undefined && { user_agent: plain(user_agent) })
      })
      if (address?.transport === "udp") yield* this.proven.keep({ endpoint: contact.endpoint, ...address })
    })
  }

  private refuse(contact: Contact): Effect.Effect<void, AriAway> {
    return Effect.andThen(
      Effect.annotateLogs(
        Effect.logWarning("A device's contact is removed: it is not where the device registered from"),
        { endpoint: contact.endpoint, contact: plain(contact.uri) }
      ),
      removeContact(this.options.ari, contact)
    )
  }

  private awaitProof(contact: Contact): void {
    this.unproven.set(contactId(contact), contact)
    const [oldest] = this.unproven.keys()
    if (this.unproven.size > unprovenMax && oldest !== undefined) this.unproven.delete(oldest)
  }

  private reportUnregistered(contact: Contact, at: number): void {
    this.checks.delete(contactId(contact))
    this.unproven.delete(contactId(contact))
    this.forget(contact)
    this.report(contact, at, { registration: "unregistered" })
    const address = readDeviceContact(contact.uri)
    if (address !== undefined)
      this.options.run(Effect.ignore(this.proven.drop({ endpoint: contact.endpoint, ...address })))
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
