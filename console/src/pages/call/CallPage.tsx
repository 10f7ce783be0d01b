import { Link, useParams } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import { ApiError } from "../../api/Request.ts"
import type { CallRecord, SubscriptionRecord, Timeline } from "../../api/Types.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Failed, Loading, State } from "../../ui/States.tsx"
import { useNow } from "../../ui/UseNow.ts"
import { CallCost } from "./CallCost.tsx"
import { CallDetails } from "./CallDetails.tsx"
import { CallHead } from "./CallHead.tsx"
import { CallTimeline } from "./CallTimeline.tsx"
import { readTimeline, timelinePace } from "./ReadTimeline.ts"
import styles from "./CallPage.module.css"
import { stateAt } from "./InstantState.ts"

const isLive = ({ status }: CallRecord): boolean => status === "ringing" || status === "answered"

/** What follows the end of a call is still read for so long: its charge, its webhooks, its recording. */
const afterwards_ms = 20_000

const usePace = (call: CallRecord | undefined): number | false => {
  if (call === undefined) return false
  if (isLive(call)) return 1_000
  return call.ended_at !== null && Date.now() - Date.parse(call.ended_at) < afterwards_ms ? 2_000 : false
}

/** Endpoints are named after their hosts. */
const useEndpoints = (): ReadonlyMap<string, string> => {
  const { data } = useRead<ReadonlyArray<SubscriptionRecord>>("/v1/webhooks")
  return useMemo(() => new Map((data ?? []).map(({ id, url }) => [id, URL.parse(url)?.host ?? url])), [data])
}

const useLegs = ({ child_call_ids }: CallRecord, live: boolean): ReadonlyArray<CallRecord> => {
  // One read for the usual one leg; further legs are named by the end of their ids.
  const { data } = useRead<CallRecord>(`/v1/calls/${child_call_ids[0] ?? ""}`, {
    enabled: child_call_ids.length > 0,
    every_ms: live && 2_000
  })
  return useMemo(() => (data === undefined ? [] : [data]), [data])
}

const Call = ({ call, pace }: { call: CallRecord; pace: number | false }) => {
  const live = isLive(call)
  const now = useNow(live && 250)
  const [instant, setInstant] = useState<number>()
  const [entries, setEntries] = useState(0)
  const timeline = useRead<Timeline>(`/v1/calls/${call.id}/timeline`, {
    every_ms: timelinePace(pace, entries),
    read: readTimeline
  })
  if (timeline.data !== undefined && timeline.data.entries.length !== entries) setEntries(timeline.data.entries.length)
  const endpoints = useEndpoints()
  const legs = useLegs(call, live)
  const { muted, on_hold } = useMemo(
    () => stateAt(timeline.data?.entries ?? [], call.id, 0, Infinity),
    [timeline.data, call.id]
  )
  return (
    <>
      <nav aria-label="Where this page is" className={styles.crumbs}>
        <Link to="/calls">Calls</Link>
        {call.parent_call_id !== null && (
          <>
            {" / "}
            <Link to="/calls/$id" params={{ id: call.parent_call_id }}>
              the call that dialled this leg
            </Link>
          </>
        )}
      </nav>
      <CallHead call={call} live={live} now={now} muted={muted} on_hold={on_hold} />
      {timeline.data === undefined ? (
        timeline.error ? (
          <Failed error={timeline.error} what="The timeline" again={() => void timeline.refetch()} />
        ) : (
          <Loading rows={6} />
        )
      ) : (
        <CallTimeline
          {...{ call, legs, endpoints, live, now, instant }}
          timeline={timeline.data}
          onInstant={setInstant}
        />
      )}
      <div className="cols halves">
        <CallCost call={call} live={live} now={now} />
        <CallDetails call={call} />
      </div>
    </>
  )
}

const CallPage = () => {
  const { id } = useParams({ from: "/calls/$id" })
  const [pace, setPace] = useState<number | false>(1_000)
  const read = useRead<CallRecord>(`/v1/calls/${id}`, { query: { transcript: "1" }, every_ms: pace })
  const next = usePace(read.data)
  if (read.data !== undefined && next !== pace) setPace(next)
  if (read.data !== undefined) return <Call key={id} call={read.data} pace={next} />
  if (read.error instanceof ApiError && read.error.status === 404) {
    return (
      <State whole icon="search" title="This workspace has no such call.">
        <p>The address may be cut, or the call belongs to another workspace.</p>
        <ButtonLink to="/calls">To the calls</ButtonLink>
      </State>
    )
  }
  return read.error ? (
    <Failed error={read.error} what="The call" again={() => void read.refetch()} />
  ) : (
    <Loading rows={8} />
  )
}

export default CallPage
