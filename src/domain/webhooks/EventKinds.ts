// Every kind of event that a webhook can carry, and the families that cut across their prefixes (docs/webhooks.md).

export const eventKinds = [
  "call.ringing",
  "call.answered",
  "call.completed",
  "call.no_answer",
  "call.busy",
  "call.failed",
  "call.canceled",
  "call.callback_failed",
  "call.balance_low",
  "call.machine_detected",
  "call.dtmf",
  "call.recording_available",
  "call.recording_failed",
  "call.recording_deleted",
  "call.transcript_available",
  "number.claimed",
  "number.renewed",
  "number.past_due",
  "number.suspended",
  "number.released",
  "number.routing_changed",
  "topup.succeeded",
  "topup.failed",
  "topup.reversed",
  "wallet.low_balance",
  "wallet.negative",
  "wallet.adjusted",
  "storage.tier_changed",
  "storage.usage_high",
  "storage.recordings_evicted",
  "sip_trunk.active",
  "sip_trunk.failed",
  "sip_trunk.unreachable",
  "sip_trunk.recovered",
  "sip_credential.created",
  "sip_credential.rotated",
  "sip_credential.revoked",
  "chatapp.trunk_active",
  "chatapp.trunk_failed",
  "chatapp.settings_changed",
  "chatapp.permission_changed",
  "workspace.suspended",
  "workspace.reinstated",
  "webhook.test",
  "webhook.disabled"
] as const
export type EventKind = (typeof eventKinds)[number]

/** What `call.*` stands for. */
export const callKinds: ReadonlyArray<EventKind> = eventKinds.filter((kind) => kind.startsWith("call."))

const under = (...prefixes: ReadonlyArray<string>): ReadonlyArray<EventKind> =>
  eventKinds.filter((kind) => prefixes.includes(kind.slice(0, kind.indexOf("."))))

export const families: Readonly<Record<string, ReadonlyArray<EventKind>>> = {
  call_lifecycle: [
    "call.ringing",
    "call.answered",
    "call.completed",
    "call.no_answer",
    "call.busy",
    "call.failed",
    "call.canceled"
  ],
  call_media: [
    "call.recording_available",
    "call.recording_failed",
    "call.recording_deleted",
    "call.dtmf",
    "call.machine_detected",
    "call.transcript_available"
  ],
  billing: [
    ...under("topup", "wallet"),
    "storage.tier_changed",
    "number.renewed",
    "number.past_due",
    "call.balance_low"
  ],
  numbers: under("number"),
  connectivity: under("sip_trunk", "sip_credential", "chatapp"),
  security: under("workspace", "webhook", "sip_credential")
}
