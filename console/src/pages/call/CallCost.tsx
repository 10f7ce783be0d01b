// What the call cost and why: a block for each started minute, the formula, the rate, the entries of the ledger.
import { useEffect } from "react"
import { useRead } from "../../api/Hooks.ts"
import type { CallRecord, ChargeBreakdown } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { amountText, countText } from "../../ui/Format.ts"
import { Loaded } from "../../ui/States.tsx"
import { Money, Time } from "../../ui/Values.tsx"
import styles from "./CallPage.module.css"

const minute_s = 60
/** More blocks than these say nothing more. */
const max_blocks = 8

const Minutes = ({ rate_minor, running, talk_s }: { talk_s: number; running: boolean; rate_minor: number }) => {
  const started = Math.max(1, Math.ceil(talk_s / minute_s))
  const blocks = Array.from({ length: started }, (_, index) => index).slice(-max_blocks)
  const next_s = Math.ceil(started * minute_s - talk_s)
  return (
    <ol className={styles.minutes}>
      {started > max_blocks && <li className={styles.before}>{started - max_blocks} before</li>}
      {blocks.map((index) => {
        const into = Math.min(minute_s, talk_s - index * minute_s)
        return (
          <li key={index}>
            <span className={styles.block}>
              <i style={{ inlineSize: `${(into / minute_s) * 100}%` }} />
              <b>{amountText(rate_minor)}</b>
            </span>
            <small>{index + 1}. minute</small>
          </li>
        )
      })}
      {running && (
        <li>
          <span className={`${styles.block} ${styles.next}`}>
            <b>{amountText(rate_minor)}</b>
          </span>
          <small>in {next_s} s</small>
        </li>
      )}
    </ol>
  )
}

const Formula = ({ charge }: { charge: ChargeBreakdown }) => {
  const { billed_seconds, cost_minor, currency, rate } = charge
  if (cost_minor === null || billed_seconds === null) return <p className="dim">{charge.formula}</p>
  if (charge.status !== "completed") return <p className="dim">{charge.formula}</p>
  const minutes = Math.ceil(billed_seconds / minute_s)
  return (
    <p>
      {countText(billed_seconds)} s are {countText(minutes)} started {minutes === 1 ? "minute" : "minutes"}, at{" "}
      <Money minor={rate.per_min_minor} currency={currency} /> each:{" "}
      <b>
        <Money minor={cost_minor} currency={currency} />
      </b>
    </p>
  )
}

const Proof = ({ charge }: { charge: ChargeBreakdown }) => {
  const { currency, entries, holds, rate } = charge
  return (
    <dl className={styles.proof}>
      <dt>Rate</dt>
      <dd>
        <Money minor={rate.per_min_minor} currency={currency} /> a minute
        <small>
          {rate.source === "number"
            ? "the price of the number itself"
            : `prefix ${rate.matched_prefix ?? ""}${rate.row === null ? "" : `, ${rate.row.description}`}`}
          , fixed <Time at={rate.frozen_at} />
        </small>
      </dd>
      {holds.map((hold) => (
        <div key={hold.id} className={styles.pair}>
          <dt>Set aside</dt>
          <dd>
            <Money minor={hold.amount_minor} currency={currency} />
            <small>
              {hold.status === "open"
                ? "still set aside"
                : hold.captured_minor === 0
                  ? "all of it released"
                  : `${amountText(hold.captured_minor)} taken, ${amountText(hold.amount_minor - hold.captured_minor)} released`}
            </small>
          </dd>
        </div>
      ))}
      {entries.map((entry) => (
        <div key={entry.id} className={styles.pair}>
          <dt>Ledger entry</dt>
          <dd>
            <Money minor={entry.amount_minor} currency={currency} />
            <small>
              leaves <Money minor={entry.balance_after_minor} currency={currency} /> ·{" "}
              <CopyText text={entry.id} label="id of the entry" shown={`…${entry.id.slice(-8)}`} />
            </small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const CallCost = ({ call, live, now }: { call: CallRecord; live: boolean; now: number }) => {
  const read = useRead<ChargeBreakdown>(`/v1/calls/${call.id}/charge`, { every_ms: live && 5_000 })
  const { refetch } = read
  useEffect(() => void refetch(), [refetch, call.status])
  const answered_at = call.answered_at === null ? undefined : Date.parse(call.answered_at)
  const talk_s =
    answered_at === undefined ? undefined : (call.billed_seconds ?? Math.max(0, (now - answered_at) / 1000))
  return (
    <Card title="Cost" note={call.cost_minor === undefined ? "so far" : undefined}>
      <Loaded read={read} what="The cost" rows={3}>
        {(charge) => (
          <div className="stack loose">
            {talk_s === undefined ? (
              <p className="dim">
                {live
                  ? "Nothing is charged before the call is answered."
                  : "Only calls that were answered are charged."}
              </p>
            ) : (
              <>
                <Minutes talk_s={talk_s} running={live} rate_minor={charge.rate.per_min_minor} />
                {!live && <Formula charge={charge} />}
              </>
            )}
            <Proof charge={charge} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}
