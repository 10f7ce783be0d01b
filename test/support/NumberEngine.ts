// Numbers, wallets, workspaces and webhooks on the memory journal, for tests of claims and rentals.
import { Effect, Layer } from "effect"
import { CallerIdsActor } from "../../src/actors/callerids/CallerIdsActor.ts"
import { ChatAppActor } from "../../src/actors/chatapp/ChatAppActor.ts"
import { CredentialsActor } from "../../src/actors/credentials/CredentialsActor.ts"
import { Numbers } from "../../src/actors/numbers/Numbers.ts"
import * as PerformNumber from "../../src/actors/numbers/PerformNumber.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import * as SubscriptionActor from "../../src/actors/webhooks/SubscriptionActor.ts"
import * as PerformWallet from "../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../src/actors/wallet/WalletOwner.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { NotifyAdmins } from "../../src/actors/mail/NotifyAdmins.ts"
import { VoiceSecrets } from "../../src/actors/webhooks/VoiceSecrets.ts"
import { Webhooks } from "../../src/actors/webhooks/Webhooks.ts"
import { toCallerIdId } from "../../src/domain/BrandedIds.ts"
import { CallerIdsCommands } from "../../src/domain/callerids/CallerIdCommand.ts"
import { WorkspaceCommands } from "../../src/domain/workspace/WorkspaceCommand.ts"
import * as WorkspaceActors from "./WorkspaceActors.ts"
import { byoNumberId } from "../../src/domain/numbers/ByoNumber.ts"
import { unclaimed } from "../../src/domain/numbers/PhoneNumber.ts"
import { Idempotency } from "../../src/domain/ports/access/Idempotency.ts"
import { NumberReads } from "../../src/domain/ports/numbers/NumberReads.ts"
import type { WalletReads } from "../../src/domain/ports/money/WalletReads.ts"
import { Trunks } from "../../src/domain/ports/pbx/Trunks.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import { memorySettings } from "../../src/layers/memory/MemorySettings.ts"
import * as MemoryReads from "../../src/layers/memory/MemoryReads.ts"
import * as MemoryWalletReads from "../../src/layers/memory/MemoryWalletReads.ts"
import { deliveryReads, subscriptionReads } from "../../src/layers/memory/MemoryWebhookReads.ts"
import * as LibPhoneNumber from "../../src/layers/numberplan/LibPhoneNumber.ts"
import { facts, mine, number_id, numberIn, origin, terms, theirs } from "../domain/numbers/Fixtures.ts"
import { makeReceiver } from "./WebhookEngine.ts"
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { gatewayId, numberId, userId, workspaceId } from "./Ids.ts"

const tenant = (id: WorkspaceId, status: "active" | "closed") => ({
  id,
  name: id,
  status,
  currency: "KES" as const,
  tenant_pbx_id: id,
  gateway_id: gatewayId("g"),
  voice_secret: "",
  numbers: []
})

/** What the database would say of the number, which nobody needs to be told of twice. */
const numberReads = ({ tables }: MemoryJournal) => {
  const status = (id: string) =>
    JSON.parse(tables.snapshot("Number", id)?.state ?? "null") as {
      status: "available"
      number: string
      source: string
    } | null
  return Layer.mock(NumberReads)({
    offer: (id) =>
      Effect.sync(() => {
        const row = status(id)
        return row?.source === "platform" ? { status: row.status, number: row.number, terms } : undefined
      }),
    held: (workspace_id) =>
      Effect.sync(() =>
        [...tables.snapshots.values()]
          .filter((row) => row.actor_type === "Number" && row.workspace_id === workspace_id)
          .filter(({ columns }) => columns["status"] === "active")
          .map(({ actor_id }) => ({
            id: numberId(actor_id),
            source: status(actor_id)?.source === "byo" ? ("byo" as const) : ("platform" as const),
            claiming: false
          }))
      ),
    holder: (e164) =>
      Effect.sync(() => {
        const held = [...tables.snapshots.values()].find(
          ({ columns }) => columns["number"] === e164 && columns["status"] !== "removed"
        )
        return held && numberId(held.actor_id)
      })
  })
}

/** An available number, as generated. */
export const stock = (journal: MemoryJournal) => {
  const { number, status } = unclaimed(facts)
  journal.tables.snapshots.set(`Number/${number_id}`, {
    actor_type: "Number",
    actor_id: number_id,
    workspace_id: null,
    version: 1,
    state: JSON.stringify({ ...facts, status }),
    columns: { number, status }
  })
}

/** Numbers that the workspace has brought. */
export const stockBrought = (journal: MemoryJournal, workspace_id: WorkspaceId, count: number) => {
  for (let index = 0; index < count; index++) {
    const number = `+2547110${String(10_000 + index)}`
    const id = byoNumberId(number)
    journal.tables.snapshots.set(`Number/${id}`, {
      actor_type: "Number",
      actor_id: id,
      workspace_id,
      version: 1,
      state: JSON.stringify({ ...numberIn("active", { number, source: "byo", workspace_id }).data }),
      columns: { number, status: "active" }
    })
  }
}

export interface NumberEngineOptions {
  /** Workspaces with an active trunk. */
  readonly trunks?: ReadonlySet<string>
  /** The workspaces of the directory. Default: the two of the fixtures. */
  readonly workspaces?: ReadonlyArray<string>
  /** The workspaces that are closed. */
  readonly closed?: ReadonlySet<string>
  /** What is known of money, where it is not what the journal has. */
  readonly balances?: Layer.Layer<WalletReads>
}

/** The engine on what is stored. It ends with its scope, or with the journal's crash. */
export const numberEngine = (journal: MemoryJournal, options: NumberEngineOptions = {}) => {
  const {
    balances = MemoryWalletReads.layer(journal),
    closed = new Set(),
    trunks = new Set(),
    workspaces = [mine, theirs]
  } = options
  const ports = Layer.mergeAll(
    journal.layer,
    memorySettings,
    SystemIds.layer,
    AesVault(new Uint8Array(32).fill(9)),
    MemoryDirectory.layer({
      workspaces: workspaces.map((id) => tenant(workspaceId(id), closed.has(id) ? "closed" : "active")),
      rates: []
    }),
    MemoryReads.charges(journal),
    balances,
    numberReads(journal),
    deliveryReads(journal),
    subscriptionReads(journal),
    makeReceiver(() => Effect.succeed({ http_status: 200 })).layer,
    LibPhoneNumber.layer,
    NotifyAdmins.none,
    VoiceSecrets.none,
    Layer.succeed(Trunks)({ active: (workspace_id) => Effect.sync(() => trunks.has(workspace_id)) }),
    Layer.succeed(Idempotency)({
      fingerprint: (text) => text,
      find: () => Effect.succeed(undefined),
      keep: () => Effect.void
    })
  )
  const doors = Layer.merge(Wallets.layer, Webhooks.layer).pipe(
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(ports)
  )
  // What a number is for others does nothing here.
  const ofNumbers = Layer.effectDiscard(
    Effect.flatMap(ActorSystem, ({ register }) =>
      Effect.all([
        register(CredentialsActor, () => Effect.void),
        register(ChatAppActor, () => Effect.void),
        register(CallerIdsActor, () => Effect.void)
      ])
    )
  )
  const actors = Layer.mergeAll(
    ofNumbers,
    PerformNumber.layer,
    SubscriptionActor.layer,
    PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
    WorkspaceActors.layer
  )
  const started = Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start))
  return Numbers.layer.pipe(
    Layer.provideMerge(started.pipe(Layer.provideMerge(actors.pipe(Layer.provideMerge(doors)))))
  )
}

/** An existing workspace with this amount of money. */
export const found = Effect.fnUntraced(function* (workspace_id: WorkspaceId, amount_minor: number) {
  const system = yield* ActorSystem
  const wallets = yield* Wallets
  yield* system.ask(WorkspaceCommands.Onboard, workspace_id, {
    name: "W",
    currency: "KES",
    tenant_pbx_id: workspace_id,
    gateway_id: gatewayId("g"),
    voice_secret: "sealed",
    owner: { user_id: userId("u"), email: "u@example.com" }
  })
  yield* wallets.open(workspace_id, "KES")
  if (amount_minor > 0) yield* credit(workspace_id, amount_minor)
})

/** Proves for the workspace, as an operator does, that it answers the number. */
export const prove = (workspace_id: WorkspaceId, number: string) =>
  Effect.flatMap(ActorSystem, (system) =>
    system.ask(CallerIdsCommands.Approve, workspace_id, { id: toCallerIdId(`proof of ${number}`), number, origin })
  )

let entries = 0

export const credit = (workspace_id: WorkspaceId, amount_minor: number) =>
  Effect.flatMap(Wallets, (wallets) =>
    wallets.credit(workspace_id, {
      entry_id: `credit-${++entries}`,
      kind: "manual_credit",
      amount_minor,
      reference_type: "adjustment",
      reference_id: "a",
      description: "",
      origin
    })
  )
