// What a decision of a wallet leaves behind: its row, the holds it touched, balanced entries, what customers are told,
// and the audit log's line where a person asked for it.
import type { Change, Step } from "../Decision.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { HashMap } from "effect"
import { auditRow, systemOrigin } from "../access/Origin.ts"
import type { AuditRow, EventRow, HoldRow, LedgerEntryRow } from "../journal/Rows.ts"
import { isoInstant } from "../kit/Instants.ts"
import { isPresent, presentOf } from "../Presence.ts"
import { isEnabled } from "./AutoTopUp.ts"
import { stateOfWallet } from "./StoredWallet.ts"
import { entryOf } from "./LedgerEntries.ts"
import { columnsOf, moneyOf, newsOf, type PresentWallet, thresholdOf, type Wallet, type WalletNews } from "./Wallet.ts"
import type { SecurityAlert } from "./SecurityAlerts.ts"
import { isAdjustment } from "./WalletCommand.ts"
import type { Hold, WalletEvent } from "./WalletEvent.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

const holdRow = (wallet: PresentWallet, hold: Hold, change: Partial<HoldRow>): HoldRow => ({
  id: hold.id,
  workspace_id: wallet.workspace_id,
  call_id: hold.call_id,
  amount_minor: hold.amount_minor,
  status: "open",
  captured_minor: 0,
  placed_at: hold.placed_at,
  closed_at: null,
  trunk_legs: hold.trunk_legs ?? 0,
  legs: hold.legs ?? 1,
  high_risk_legs: hold.high_risk_legs ?? 0,
  ...change
})

const holdRowOf = (wallet: PresentWallet, event: WalletEvent): HoldRow | undefined => {
  switch (event._tag) {
    case "HoldPlaced":
      return holdRow(wallet, event.hold, {})
    case "HoldExtended":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), { amount_minor: event.amount_minor })
    case "HoldCaptured":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), {
        status: "captured",
        captured_minor: event.amount_minor,
        closed_at: event.at
      })
    case "HoldReleased":
      return holdRow(wallet, HashMap.getUnsafe(wallet.holds, event.hold_id), {
        status: "released",
        closed_at: event.at,
        ...(event.unused && { unused: true as const })
      })
    default:
      return undefined
  }
}

const entryShown = ({ actor: _, lines: __, metadata: ___, created_at, ...entry }: LedgerEntryRow) => ({
  ...entry,
  created_at: isoInstant(created_at)
})

/** Why automatic top-ups were turned off. */
const disabledOf = ({ auto }: PresentWallet, event: WalletEvent) => ({
  reason: auto?.disabled ?? null,
  failure_code: event._tag === "AutoTopUpEnded" ? event.failure_code : null
})

const payloadOf = (kind: WalletNews, wallet: PresentWallet, event: WalletEvent, entry: LedgerEntryRow | undefined) => ({
  kind,
  ...moneyOf(wallet),
  ...(kind === "wallet.auto_topup_disabled" && disabledOf(wallet, event)),
  ...(kind === "wallet.adjusted" && entry !== undefined && { entry: entryShown(entry) })
})

type WalletChange = Change<Wallet, WalletEvent>

interface WalletStep extends Step<PresentWallet, WalletEvent> {
  readonly entry: LedgerEntryRow | undefined
}

/** The payload of the webhook event. Instants are shown as RFC 3339 says. */
const shownAlert = (wallet: PresentWallet, alert: SecurityAlert, at: number) => ({
  ...alert,
  ...("since" in alert && { since: isoInstant(alert.since) }),
  ...(alert.kind === "security.spend_limit_reached" && { currency: wallet.currency }),
  workspace_id: wallet.workspace_id,
  at: isoInstant(at)
})

const payloadsOf = ({ after, before, entry, event }: WalletStep) =>
  event._tag === "Alerted"
    ? [shownAlert(after, event.alert, event.at)]
    : newsOf(before, after, event).map((kind) => payloadOf(kind, after, event, entry))

const eventRows = (step: WalletStep, { now, uuid }: WalletChange): ReadonlyArray<EventRow> =>
  payloadsOf(step).map((payload, index) => {
    const { workspace_id } = step.after
    const sequence = step.before.sequence + 1 + index
    return publishedEvent(uuid(), {
      workspace_id,
      subject_id: workspace_id,
      sequence,
      at: now,
      payload
    })
  })

/** Who set or ended automatic top-ups. What they charge is in the ledger. */
const autoAuditsOf = ({ after, before, event }: WalletStep): ReadonlyArray<AuditRow> => {
  const { workspace_id } = after
  const target = { type: "wallet", id: workspace_id }
  const by = event._tag === "AutoTopUpSet" || event._tag === "CardRemoved" ? event.origin : systemOrigin
  const rows: Array<AuditRow> = []
  if (event._tag === "CardRemoved")
    rows.push(auditRow(by, { workspace_id, action_kind: "wallet.card_removed", target, at: event.at }))
  if (event._tag === "AutoTopUpSet" || isEnabled(before.auto) !== isEnabled(after.auto))
    rows.push(
      auditRow(by, {
        workspace_id,
        action_kind: "wallet.auto_topup_changed",
        target,
        ...(before.auto?.settings && { before: before.auto.settings }),
        after: { ...after.auto?.settings, disabled_reason: after.auto?.disabled ?? null },
        at: after.updated_at
      })
    )
  return rows
}

/** Alerts and money that an operator moves are audited; what the engine credits of its own accord is in the ledger. */
const auditOf = ({ after, before, event }: WalletStep): AuditRow | undefined => {
  const { workspace_id } = after
  switch (event._tag) {
    case "ThresholdSet":
      return auditRow(event.origin, {
        workspace_id,
        action_kind: "wallet.threshold_changed",
        target: { type: "wallet", id: workspace_id },
        before: thresholdOf(before),
        after: thresholdOf(after),
        at: event.at
      })
    case "Alerted": {
      const { kind: alert, ...shown } = shownAlert(after, event.alert, event.at)
      return auditRow(systemOrigin, {
        workspace_id,
        action_kind: "security.alerted",
        target: { type: "workspace", id: workspace_id },
        after: { alert, ...shown },
        at: event.at
      })
    }
    case "Credited":
    case "Debited": {
      if (!isAdjustment(event)) return undefined
      const { amount_minor, at, description, entry_id, kind, origin, reference_id } = event
      return auditRow(origin, {
        workspace_id,
        action_kind: "wallet.adjusted",
        target: { type: "wallet", id: workspace_id },
        before: { balance_minor: before.balance_minor },
        after: {
          balance_minor: after.balance_minor,
          entry_id,
          kind,
          amount_minor,
          note: description,
          reference: reference_id
        },
        at
      })
    }
    default:
      return undefined
  }
}

export interface WalletRecorded {
  readonly workspace_id: WorkspaceId
  readonly state: string
  readonly columns: Readonly<Record<string, string | number | null>>
  readonly events: ReadonlyArray<EventRow>
  readonly holds: ReadonlyArray<HoldRow>
  readonly ledger: ReadonlyArray<LedgerEntryRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordWallet = (change: WalletChange): WalletRecorded => {
  const wallet = presentOf(change.after)
  const told: Array<EventRow> = []
  const holds: Array<HoldRow> = []
  const ledger: Array<LedgerEntryRow> = []
  const audit: Array<AuditRow> = []
  for (const { after: next, before, event } of change.steps) {
    // The opening of a wallet leaves nothing but its row.
    if (!isPresent(before)) continue
    const after = presentOf(next)
    const hold = holdRowOf(before, event)
    if (hold !== undefined) holds.push(hold)
    const entry = entryOf(before, event)
    if (entry !== undefined) ledger.push(entry)
    const step = { before, after, event, entry }
    const line = auditOf(step)
    if (line !== undefined) audit.push(line)
    if (after.auto !== before.auto) audit.push(...autoAuditsOf(step))
    // Each webhook event has a number: without a new one there is none.
    if (after.sequence !== before.sequence) told.push(...eventRows(step, change))
  }
  return {
    workspace_id: wallet.workspace_id,
    state: stateOfWallet(wallet),
    columns: columnsOf(wallet),
    events: told,
    holds,
    ledger,
    audit
  }
}
