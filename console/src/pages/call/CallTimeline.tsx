// The timeline of a call in two forms, with the entry that is pinned and the state at the chosen instant beside it.
import { useEffect, useMemo, useState } from "react"
import type { CallRecord, Timeline } from "../../api/Types.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Segmented } from "../../ui/Field.tsx"
import { phoneText } from "../../ui/Format.ts"
import { Note } from "../../ui/States.tsx"
import styles from "./CallPage.module.css"
import { EventLog } from "./EventLog.tsx"
import { Inspector } from "./Inspector.tsx"
import { InstantPanel } from "./InstantPanel.tsx"
import { timelineModel } from "./TimelineModel.ts"
import { timeScale } from "./TimeScale.ts"
import { Waterfall } from "./Waterfall.tsx"

const narrow = () => matchMedia("(max-width: 860px)").matches
const zooms = [1, 2, 4, 8, 16] as const
/** How many legs the waterfall draws before it folds the others. */
const shownLegs = 3

const Views = (props: {
  readonly folded: boolean
  readonly onFolded: (folded: boolean) => void
  readonly view: "fall" | "log"
  readonly onView: (view: "fall" | "log") => void
  readonly zoom: number
  readonly onZoom: (zoom: number) => void
}) => {
  const { folded, onFolded, onView, onZoom, view, zoom } = props
  const step = zooms.findIndex((each) => each === zoom)
  return (
    <div className="row wrap">
      {view === "fall" && (
        <>
          <IconButton
            icon="minus"
            label="Zoom out"
            small
            disabled={step <= 0}
            onClick={() => onZoom(zooms[step - 1] ?? 1)}
          />
          <IconButton
            icon="plus"
            label="Zoom in"
            small
            disabled={step >= zooms.length - 1}
            onClick={() => onZoom(zooms[step + 1] ?? zoom)}
          />
          <Segmented
            label="Scale"
            options={[
              ["folded", "Quiet time folded"],
              ["true", "True scale"]
            ]}
            value={folded ? "folded" : "true"}
            onChange={(value) => onFolded(value === "folded")}
          />
        </>
      )}
      <Segmented
        label="View"
        options={[
          ["fall", "Waterfall"],
          ["log", "Log"]
        ]}
        value={view}
        onChange={onView}
      />
    </div>
  )
}

/** How legs, endpoints and viewers are called. */
const useNames = (call: CallRecord, legs: ReadonlyArray<CallRecord>, endpoints: ReadonlyMap<string, string>) =>
  useMemo(() => {
    const names = new Map<string, string>(endpoints)
    for (const { direction, from, id, to } of [call, ...legs])
      names.set(id, phoneText(direction === "inbound" ? from : to))
    return (id: string) => names.get(id) ?? (/^[0-9a-f-]{36}$/.test(id) ? `…${id.slice(-6)}` : id)
  }, [call, legs, endpoints])

export interface CallTimelineProps {
  readonly call: CallRecord
  readonly legs: ReadonlyArray<CallRecord>
  readonly endpoints: ReadonlyMap<string, string>
  readonly timeline: Timeline
  readonly live: boolean
  /** Epoch milliseconds. */
  readonly now: number
  readonly instant: number | undefined
  readonly onInstant: (ms: number | undefined) => void
}

/** The end of the axis of a live call, which stands still while an entry is looked at. */
const useEdge = (moving: number, held: boolean): number => {
  const [edge, setEdge] = useState(moving)
  useEffect(() => {
    if (!held) setEdge(moving)
  }, [moving, held])
  return held ? edge : moving
}

export const CallTimeline = (props: CallTimelineProps) => {
  const { call, endpoints, instant, legs, live, now, onInstant, timeline } = props
  const [view, setView] = useState<"fall" | "log">(() => (narrow() ? "log" : "fall"))
  const [folded, setFolded] = useState(true)
  const [zoom, setZoom] = useState<number>(1)
  const [pinned, setPinned] = useState<string>()
  const [looking, setLooking] = useState(false)
  const model = useMemo(() => timelineModel(timeline.entries), [timeline])
  const last = useEdge(live ? Math.max(model.last, now - model.began_at) : model.last, looking)
  const scale = useMemo(() => {
    const instants = model.marks.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))
    return timeScale(instants, last, folded)
  }, [model, last, folded])
  const nameOf = useNames(call, legs, endpoints)
  const at = Math.min(instant ?? last, last)
  const choose = (ms: number) => onInstant(ms >= last ? undefined : ms)
  return (
    <Card
      title="Timeline"
      note={`${model.entries.length} entries`}
      bare
      acts={<Views {...{ folded, view, zoom }} onFolded={setFolded} onView={setView} onZoom={setZoom} />}
    >
      {timeline.has_more && <Note tone="wait">This call has more entries than are listed here.</Note>}
      {view === "fall" ? (
        <Waterfall
          {...{ model, scale, last, nameOf, zoom, pinned, live }}
          call_id={call.id}
          max_legs={shownLegs}
          instant={at}
          onInstant={choose}
          onPin={setPinned}
          onLook={setLooking}
        />
      ) : (
        <EventLog
          model={model}
          call_id={call.id}
          instant={at}
          last={last}
          pinned={pinned}
          onPin={setPinned}
          onInstant={choose}
        />
      )}
      <div className={styles.instant}>
        <InstantPanel
          model={model}
          call={call}
          nameOf={nameOf}
          instant={at}
          last={last}
          live={live}
          onInstant={choose}
        />
        <Inspector model={model} call_id={call.id} pinned={pinned} onPin={setPinned} onInstant={choose} />
      </div>
    </Card>
  )
}
