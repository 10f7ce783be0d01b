// The timeline of a call, as a person reads it. What the engine tells a PBX, and who watched, is left to `--json`.
import type { CallRecord } from "../../client/Client.ts"
import { endedStatuses } from "./CallBill.ts"
import { actionText, asked, type Detail, detailOf, type Entry } from "./CallLines.ts"
import { money, shortId } from "../Output.ts"

const amountIn = (currency: string, detail: Detail, name: string): string => money(currency, Number(detail[name] ?? 0))

/** What a line says of an event beside its kind. The cause belongs to the event that ends the call. */
const eventText = (kind: string, detail: Detail): string =>
  [
    ...(endedStatuses.has(kind) ? [detail["hangup_cause"]] : []),
    detail["detail"],
    detail["pointer"],
    detail["digit"],
    detail["reason"]
  ]
    .filter((part) => part !== undefined && part !== null)
    .map(String)
    .join(" ")

const webhookOf = ({ duration_ms, error, event_kind, http_status }: Detail): string =>
  `${String(event_kind ?? "")} → ${String(http_status ?? error ?? "no answer")} after ${String(duration_ms)} ms`.trim()

/** The result of an action, by its call and step. */
const resultsOf = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, Detail> =>
  new Map(
    entries
      .filter(({ kind }) => kind === "action.finished")
      .map((entry) => {
        const { result, step } = detailOf(entry)
        return [`${entry.call_id} ${String(step)}`, (result ?? {}) as Detail]
      })
  )

type Told = readonly [what: string, text: string]

const eventOf = (name: string, detail: Detail): Told | undefined => {
  const kind = name.slice("call.".length)
  // How it rings is told once.
  if (!name.startsWith("call.") || kind === "progress") return undefined
  return [kind.replaceAll("_", " "), eventText(kind, detail)]
}

const toldOf = (entry: Entry, currency: string, results: ReadonlyMap<string, Detail>): Told | undefined => {
  const detail = detailOf(entry)
  switch (entry.kind) {
    case "hold.placed":
    case "hold.extended":
      return ["money", `${amountIn(currency, detail, "amount_minor")} set aside`]
    case "hold.released":
      return ["money", `${amountIn(currency, detail, "amount_minor")} given back`]
    case "charge.booked": {
      const charged = money(currency, Math.abs(Number(detail["amount_minor"] ?? 0)))
      return ["money", `${charged} charged, ${amountIn(currency, detail, "balance_after_minor")} left`]
    }
    case "callback.attempt":
      return ["callback", `${asked(detail)}  ${String(detail["url"] ?? "")}`]
    case "webhook.attempt":
      return ["webhook", webhookOf(detail)]
    case "announcement":
      return ["says", JSON.stringify(String(detail["text"]))]
    case "action.started": {
      const verb = String(detail["verb"])
      const result = results.get(`${entry.call_id} ${String(detail["step"])}`) ?? {}
      return [verb, actionText(verb, (detail["action"] ?? {}) as Detail, result, [])]
    }
    default:
      return eventOf(entry.kind, detail)
  }
}

/** `  2.0 s`: since the call began. */
export const secondsOf = (from: string, to: string): string =>
  `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1).padStart(6)} s`

/** A line for each thing that happened. Those of a leg that was dialled name the leg. */
export const timelineLines = (
  { created_at, currency, id }: Pick<CallRecord, "created_at" | "currency" | "id">,
  entries: ReadonlyArray<Entry>
): ReadonlyArray<string> => {
  const results = resultsOf(entries)
  return entries.flatMap((entry) => {
    const told = toldOf(entry, currency, results)
    if (told === undefined) return []
    const leg = entry.call_id === id ? "" : `  (leg ${shortId(entry.call_id)})`
    return [`${secondsOf(created_at, entry.at)}  ${told[0].padEnd(9)}  ${told[1]}`.trimEnd() + leg]
  })
}
