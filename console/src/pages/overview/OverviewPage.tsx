// What is under way now, what it costs, and how calls went.
import { useMemo, useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import type { CallRecord, CallStats, WalletBalance } from "../../api/Types.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Segmented } from "../../ui/Field.tsx"
import { countText, durationText, percentText } from "../../ui/Format.ts"
import { PageHead } from "../../ui/PageHead.tsx"
import { Failed, Loading, State } from "../../ui/States.tsx"
import { Legend, StackedBars } from "../../ui/StackedBars.tsx"
import { Strip } from "../../ui/Strip.tsx"
import { useNow } from "../../ui/UseNow.ts"
import { Money } from "../../ui/Values.tsx"
import { BalanceCard } from "./BalanceCard.tsx"
import { LiveCalls } from "./LiveCalls.tsx"
import { dayBars, minuteBars, outcomes } from "./Outcomes.ts"
import { useLiveCalls, useRecentCalls } from "./UseCalls.ts"

const minutesText = (count: number): string => `${countText(count)} ${count === 1 ? "minute" : "minutes"} billed`

const hour_minutes = 60
const statsPath = "/v1/calls/stats"

const Figures = ({ live, recent }: { live: ReadonlyArray<CallRecord>; recent: ReadonlyArray<CallRecord> }) => {
  const stats = useRead<CallStats>(statsPath, { every_ms: 15_000 })
  const now = useNow(10_000)
  const today = stats.data?.buckets.at(-1)
  const talking = live.filter(({ status }) => status === "answered").length
  const lastMinute = recent.filter(({ created_at }) => now - Date.parse(created_at) < 60_000).length
  const dash = <span className="faint">–</span>
  return (
    <Strip
      facts={[
        { label: "Live now", value: countText(live.length), small: `${talking} talk, ${live.length - talking} ring` },
        {
          label: "Calls in the last minute",
          value: countText(lastMinute),
          small: `${(recent.length / hour_minutes).toFixed(1)} a minute in this hour`
        },
        {
          label: "Answered today",
          value: today && today.calls > 0 ? percentText(today.asr) : dash,
          small: today && `of ${countText(today.calls)} calls (UTC)`
        },
        {
          label: "Talk, on average",
          value: today && today.acd_seconds > 0 ? durationText(today.acd_seconds) : dash,
          small: "of the calls that are over"
        },
        {
          label: "Spent on calls today",
          value: today ? <Money minor={today.cost_minor} currency={stats.data?.currency ?? null} /> : dash,
          small: today && minutesText(Math.ceil(today.billed_seconds / 60))
        }
      ]}
    />
  )
}

const Outcomes = ({ recent, truncated }: { recent: ReadonlyArray<CallRecord>; truncated: boolean }) => {
  const [span, setSpan] = useState<"hour" | "month">("hour")
  const stats = useRead<CallStats>(statsPath, { enabled: span === "month" })
  const now = useNow(5_000)
  const bars = useMemo(
    () => (span === "hour" ? minuteBars(recent, now) : stats.data === undefined ? [] : dayBars(stats.data)),
    [span, recent, now, stats.data]
  )
  return (
    <Card
      title={span === "hour" ? "Calls a minute" : "Calls a day"}
      acts={
        <Segmented
          label="Span of the plot"
          options={[
            ["hour", "Last hour"],
            ["month", "30 days"]
          ]}
          value={span}
          onChange={setSpan}
        />
      }
      foot={truncated && span === "hour" ? "The latest calls only: there are more than are read here." : undefined}
    >
      <div className="stack loose">
        <Legend series={outcomes} bars={bars} />
        <StackedBars
          label={span === "hour" ? "Calls of each minute of the last hour by outcome" : "Calls of each day by outcome"}
          series={outcomes}
          bars={bars}
        />
      </div>
    </Card>
  )
}

const OverviewPage = () => {
  const live = useLiveCalls()
  const recent = useRecentCalls()
  const balance = useRead<WalletBalance>("/v1/wallet/balance", { every_ms: 5_000 })
  return (
    <>
      <PageHead
        title="Overview"
        acts={
          <ButtonLink to="/place" kind="main" icon="place">
            Place a call
          </ButtonLink>
        }
      />
      <Figures live={live.calls} recent={recent.calls} />
      <div className="cols aside even">
        <Outcomes recent={recent.calls} truncated={recent.truncated} />
        <BalanceCard read={balance} spending={live.calls} />
      </div>
      <Card title="Live calls" note={live.read && countText(live.calls.length)} bare>
        {live.error ? (
          <Failed error={live.error} what="The live calls" />
        ) : !live.read ? (
          <Loading />
        ) : live.calls.length === 0 ? (
          <State icon="calls" title="No call is live.">
            <p>Calls stand here from the first ring to the end.</p>
          </State>
        ) : (
          <LiveCalls calls={live.calls} />
        )}
      </Card>
    </>
  )
}

export default OverviewPage
