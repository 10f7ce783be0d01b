// The timeline as lanes over one axis of time. Hover or focus draws the chain of causes; a click pins an entry.
import { useEffect, useMemo, useRef, useState } from "react"
import { offsetText } from "../../ui/Format.ts"
import { Icon, type IconName } from "../../ui/Icon.tsx"
import { axis_px, axisLabels, type PlacedLane, type PlacedMark, placeLanes } from "./Placement.ts"
import { chainOf, type Lane, type TimelineModel } from "./TimelineModel.ts"
import type { TimeScale } from "./TimeScale.ts"
import styles from "./Waterfall.module.css"
import { MarkButton, type MarkHandlers } from "./WaterfallMark.tsx"
import { WaterfallTip } from "./WaterfallTip.tsx"

export const laneIcons: Readonly<Record<Lane, IconName>> = {
  pbx: "server",
  script: "callback",
  money: "coin",
  webhooks: "webhook",
  viewers: "viewer"
}

const gutter_px = 112

/** The width of an element's content, in pixels; 0 until it is known. */
const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

const Axis = (props: { labels: ReadonlyArray<{ ms: number; x: number }>; instantX: number; width: number }) => (
  <div className={styles.axis} aria-hidden="true">
    {props.labels.map(({ ms, x }) => (
      <span
        key={ms}
        className={x === 0 ? styles.first : x >= props.width ? styles.lastLabel : undefined}
        style={{ insetInlineStart: x }}
        hidden={Math.abs(x - props.instantX) < 50}
      >
        {x === 0 ? "0" : offsetText(ms)}
      </span>
    ))}
  </div>
)

const Folds = ({ scale, width }: { scale: TimeScale; width: number }) => (
  <div className={styles.folds} aria-hidden="true">
    {scale.folds.map(({ from, to }) => {
      const x = scale.at(from) * width
      return (
        <div key={from} className={styles.fold} style={{ insetInlineStart: x, inlineSize: scale.at(to) * width - x }}>
          <span>{Math.round((to - from + 1000) / 1000)} s</span>
        </div>
      )
    })}
  </div>
)

const LaneView = (props: {
  readonly lane: PlacedLane
  readonly lit: ReadonlySet<string> | undefined
  readonly pinned: string | undefined
  readonly stop: string | undefined
  readonly handlers: MarkHandlers
}) => {
  const { handlers, lane, lit, pinned, stop } = props
  return (
    <div className={`${styles.lane} ${styles[lane.lane]}`}>
      <div className={styles.name}>
        <Icon name={laneIcons[lane.lane]} size={14} className={styles.laneIcon} />
        <span>{lane.word}</span>
        {lane.rows.map(({ label, y }) => (
          <small key={`${label} ${y}`} style={{ insetBlockStart: y }} title={label}>
            {label}
          </small>
        ))}
      </div>
      <div className={styles.track} style={{ blockSize: lane.height }}>
        {lane.areas && (
          <svg className={styles.areas} aria-hidden="true">
            <path className={styles.areaOwn} d={lane.areas.own} />
            <path className={styles.areaAll} d={lane.areas.all} />
            <path className={styles.areaLine} d={lane.areas.line} />
          </svg>
        )}
        {lane.spans.map(({ key, kind, label, open, width, x, y }) => (
          <span
            key={key}
            className={`${styles.span} ${styles[kind]} ${open ? styles.open : ""}`}
            style={{ insetInlineStart: x, insetBlockStart: y, inlineSize: width }}
          >
            {width > label.length * 5.6 + 12 && <b>{label}</b>}
          </span>
        ))}
        {lane.marks.map((placed) => (
          <MarkButton
            key={placed.mark.id}
            placed={placed}
            lane={lane}
            pinned={placed.group.some(({ id }) => id === pinned)}
            lit={lit === undefined || placed.group.some(({ id }) => lit.has(id))}
            isStop={placed.mark.id === stop}
            handlers={handlers}
          />
        ))}
      </div>
    </div>
  )
}

/** The lines from cause to effect, between the marks that are drawn. */
const Wires = ({ spots }: { spots: ReadonlyArray<{ x: number; y: number }> }) => (
  <svg className={styles.wires} aria-hidden="true">
    {spots.slice(1).map((to, index) => {
      const from = spots[index] ?? to
      const bend = Math.max(10, Math.abs(to.x - from.x) / 2)
      return (
        <g key={index}>
          <path d={`M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`} />
          <circle cx={from.x} cy={from.y} r={2.5} />
        </g>
      )
    })}
  </svg>
)

interface Spot {
  readonly x: number
  readonly y: number
  readonly lane: PlacedLane
  readonly placed: PlacedMark
}

const spotsOf = (lanes: ReadonlyArray<PlacedLane>): ReadonlyMap<string, Spot> =>
  new Map(
    lanes.flatMap((lane) =>
      lane.marks.flatMap((placed) =>
        placed.group.map(({ id }) => [id, { x: gutter_px + placed.x, y: lane.top + placed.y, lane, placed }] as const)
      )
    )
  )

/** The mark to which an arrow key leads. */
const neighbour = (spots: ReadonlyMap<string, Spot>, lanes: ReadonlyArray<PlacedLane>, id: string, key: string) => {
  const here = spots.get(id)
  const all = [...new Set(lanes.flatMap(({ marks }) => marks))].sort((a, b) => a.mark.from - b.mark.from)
  const index = all.findIndex(({ mark }) => mark.id === id)
  if (key === "ArrowRight") return all[index + 1]?.mark.id
  if (key === "ArrowLeft") return all[index - 1]?.mark.id
  if (key === "Home") return all[0]?.mark.id
  if (key === "End") return all.at(-1)?.mark.id
  if (here === undefined || (key !== "ArrowUp" && key !== "ArrowDown")) return undefined
  const other = lanes[lanes.indexOf(here.lane) + (key === "ArrowDown" ? 1 : -1)]
  const near = [...(other?.marks ?? [])].sort((a, b) => Math.abs(a.x - here.placed.x) - Math.abs(b.x - here.placed.x))
  return near[0]?.mark.id
}

export interface WaterfallProps {
  readonly model: TimelineModel
  readonly scale: TimeScale
  readonly last: number
  readonly call_id: string
  readonly nameOf: (id: string) => string
  readonly max_legs: number
  readonly zoom: number
  readonly instant: number
  readonly live: boolean
  readonly onInstant: (ms: number) => void
  readonly pinned: string | undefined
  readonly onPin: (id: string) => void
  /** Whether an entry is looked at, so that nothing may move. */
  readonly onLook: (looking: boolean) => void
}

const slider_steps = 1000

const Scrubber = (
  props: Pick<WaterfallProps, "scale" | "instant" | "last" | "live" | "onInstant"> & {
    readonly x: number
    readonly width: number
    readonly height: number
  }
) => {
  const { height, instant, last, live, onInstant, scale, width, x } = props
  return (
    <div className={styles.scrub} style={{ insetInlineStart: gutter_px, inlineSize: width, blockSize: height }}>
      <i className={styles.later} style={{ insetInlineStart: x }} />
      <i className={styles.head} style={{ insetInlineStart: x }} />
      <output className={styles.output} style={{ insetInlineStart: Math.min(Math.max(x, 22), width - 22) }}>
        {live && instant >= last ? "now" : offsetText(instant)}
      </output>
      <input
        type="range"
        min={0}
        max={slider_steps}
        aria-label="Time within the call"
        aria-valuetext={offsetText(instant)}
        value={Math.round(scale.at(instant) * slider_steps)}
        onChange={(event) => {
          const place = Number(event.target.value) / slider_steps
          onInstant(place >= 1 ? last : scale.back(place))
        }}
      />
    </div>
  )
}

export const Waterfall = (props: WaterfallProps) => {
  const { call_id, instant, last, live, max_legs, model, nameOf, onInstant, onLook, onPin, pinned, scale, zoom } = props
  const { element, width: visible } = useWidth()
  const [hovered, setHovered] = useState<string>()
  const [stop, setStop] = useState<string>()
  const board = useRef<HTMLDivElement>(null)
  const width = Math.max(0, visible - gutter_px - 8) * zoom
  const lanes = useMemo(
    () => (width <= 0 ? [] : placeLanes({ model, scale, width, last, call_id, nameOf, max_legs })),
    [model, scale, width, last, call_id, nameOf, max_legs]
  )
  const spots = useMemo(() => spotsOf(lanes), [lanes])
  const entries = useMemo(() => new Map(model.entries.map((entry) => [entry.id, entry])), [model])
  const chain = hovered === undefined ? [] : chainOf(entries, hovered).map(({ id }) => model.markOf.get(id) ?? id)
  const x = scale.at(instant) * width
  const look = (id: string | undefined) => {
    setHovered(id)
    onLook(id !== undefined)
  }
  const handlers: MarkHandlers = {
    onLook: look,
    onPin,
    onKey: (id, key) => {
      const next = neighbour(spots, lanes, id, key)
      if (next === undefined) return
      setStop(next)
      board.current?.querySelector<HTMLElement>(`[data-mark="${CSS.escape(next)}"]`)?.focus()
    }
  }
  const hoveredSpot = hovered === undefined ? undefined : spots.get(hovered)
  const instants = useMemo(() => model.marks.map(({ from }) => from), [model])
  const first = lanes[0]?.marks[0]?.mark.id
  const height = (lanes.at(-1)?.top ?? axis_px) + (lanes.at(-1)?.height ?? 0)
  return (
    <div className={styles.scroll} ref={element}>
      <div
        className={styles.board}
        ref={board}
        style={{ inlineSize: gutter_px + width }}
        role="group"
        aria-label="Timeline. Left and right go through the entries, up and down from lane to lane, Enter pins one."
      >
        <Axis labels={axisLabels(scale, instants, last, width)} instantX={x} width={width} />
        <Folds scale={scale} width={width} />
        {lanes.map((lane) => (
          <LaneView
            key={lane.lane}
            lane={lane}
            lit={hovered === undefined ? undefined : new Set(chain)}
            pinned={pinned}
            stop={stop ?? first}
            handlers={handlers}
          />
        ))}
        <Wires spots={[...new Set(chain)].flatMap((id) => spots.get(id) ?? [])} />
        <Scrubber {...{ height, instant, last, live, onInstant, scale, width, x }} />
        {hoveredSpot && <WaterfallTip began_at={model.began_at} placed={hoveredSpot.placed} anchor={board} />}
      </div>
    </div>
  )
}
