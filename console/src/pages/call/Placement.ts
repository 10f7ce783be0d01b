// Where the marks of a timeline stand, in pixels. Marks that would cover each other move apart a little; where that
// does not suffice they become one mark with a count.
import { type HeldStep, heldSteps } from "./InstantState.ts"
import { type Lane, lanes, type Mark, rowsOf, type Session, type TimelineModel } from "./TimelineModel.ts"
import type { TimeScale } from "./TimeScale.ts"

export interface PlacedMark {
  readonly mark: Mark
  /** All that stand here; the first is `mark`. */
  readonly group: ReadonlyArray<Mark>
  /** The centre of a point, the start of a bar. */
  readonly x: number
  /** 0 for a point. */
  readonly width: number
  /** From the top of the lane. */
  readonly y: number
}

export interface PlacedSpan {
  readonly key: string
  readonly kind: "ring" | "talk" | "view"
  readonly label: string
  readonly x: number
  readonly width: number
  readonly y: number
  /** Under way: the end is open. */
  readonly open: boolean
}

export interface PlacedLane {
  readonly lane: Lane
  readonly word: string
  /** From the top of the board. */
  readonly top: number
  readonly height: number
  readonly rows: ReadonlyArray<{ readonly label: string; readonly y: number }>
  readonly marks: ReadonlyArray<PlacedMark>
  readonly spans: ReadonlyArray<PlacedSpan>
  /** Width as a share of the track. */
  readonly width: number
  /** SVG paths of the money that is set aside: for the call, and for the call with its legs. */
  readonly areas?: { readonly own: string; readonly all: string; readonly line: string }
}

export interface PlacementInput {
  readonly model: TimelineModel
  readonly scale: TimeScale
  /** The width of the tracks, in pixels. */
  readonly width: number
  /** The end of the axis, in milliseconds. */
  readonly last: number
  readonly call_id: string
  /** How a leg, an endpoint and a viewer are called. */
  readonly nameOf: (id: string) => string
  /** How many legs have a row of their own. */
  readonly max_legs: number
}

export const axis_px = 30
/** How near the centres of two points may be. */
const nearest_px = 13
/** How far a mark may move from its true place. */
const moved_max_px = 26
const minBar_px = 5

const heights = { session: 23, events: 26, commands: 24, bars: 24, money: 62, viewer: 20, rest: 10 } as const

const placeRow = (marks: ReadonlyArray<Mark>, y: number, { scale, width, last }: PlacementInput) => {
  const placed: Array<{ mark: Mark; group: Array<Mark>; x: number; width: number; y: number }> = []
  let edge = -Infinity
  for (const mark of marks) {
    const isBar = mark.form === "bar"
    const trueX = scale.at(mark.from) * width
    const x = Math.max(trueX, edge)
    const before = placed.at(-1)
    if (before !== undefined && x - trueX > moved_max_px) {
      before.group.push(mark)
      continue
    }
    const end = scale.at(mark.to ?? last) * width
    const wide = isBar ? Math.max(minBar_px, end - x) : 0
    placed.push({ mark, group: [mark], x, width: wide, y })
    edge = isBar ? x + wide + 3 : x + nearest_px
  }
  return placed
}

const sessionSpans = (session: Session, y: number, input: PlacementInput): ReadonlyArray<PlacedSpan> => {
  const { last, nameOf, scale, width } = input
  const x = (ms: number) => scale.at(ms) * width
  const { answered, call_id, ended, rings } = session
  const span = (kind: "ring" | "talk", from: number, to: number | undefined, label: string): PlacedSpan => ({
    key: `${call_id} ${kind}`,
    kind,
    label,
    x: x(from),
    width: Math.max(4, x(to ?? last) - x(from)),
    y,
    open: to === undefined
  })
  return [
    span("ring", rings, answered ?? ended, "Rings"),
    ...(answered === undefined ? [] : [span("talk", answered, ended, `Talks, ${nameOf(call_id)}`)])
  ]
}

type LaneContent = Omit<PlacedLane, "lane" | "word" | "top" | "width">

const pbxLane = (marks: ReadonlyArray<Mark>, input: PlacementInput): LaneContent => {
  const { call_id, max_legs, model } = input
  const shown = model.sessions.slice(0, max_legs + 1)
  const hidden = model.sessions.length - shown.length
  const top = 4
  const spans = shown.flatMap((session, index) => sessionSpans(session, top + index * heights.session, input))
  const eventsY = top + shown.length * heights.session + heights.events / 2
  const commandsY = eventsY + heights.events / 2 + heights.commands / 2
  const names = shown.map((session, index) => ({
    label: session.call_id === call_id ? "call" : `leg ${index}`,
    y: top + index * heights.session + 9
  }))
  return {
    height: commandsY + heights.commands / 2,
    rows: [
      ...names,
      { label: hidden > 0 ? `events, +${hidden} legs` : "events", y: eventsY },
      { label: "commands", y: commandsY }
    ],
    spans,
    marks: [
      ...placeRow(
        marks.filter(({ form }) => form === "event"),
        eventsY,
        input
      ),
      ...placeRow(
        marks.filter(({ form }) => form === "command"),
        commandsY,
        input
      )
    ]
  }
}

/** A row of bars for each thing that is called or carried out. */
const rowsLane = (lane: Lane, marks: ReadonlyArray<Mark>, input: PlacementInput): LaneContent => {
  const rows = rowsOf(input.model, lane)
  const y = (index: number) => 5 + index * heights.bars + heights.bars / 2
  return {
    height: rows.length * heights.bars + heights.rest,
    rows:
      rows.length < 2 && lane !== "script" ? [] : rows.map((row, index) => ({ label: input.nameOf(row), y: y(index) })),
    spans: [],
    marks: rows.flatMap((row, index) =>
      placeRow(
        marks.filter((mark) => mark.row === row),
        y(index),
        input
      )
    )
  }
}

const viewersLane = (marks: ReadonlyArray<Mark>, { last, nameOf, scale, width }: PlacementInput): LaneContent => ({
  height: marks.length * heights.viewer + heights.rest,
  rows: [],
  spans: [],
  marks: marks.map((mark, index) => {
    const x = scale.at(mark.from) * width
    const end = scale.at(mark.to ?? last) * width
    const named = { ...mark, form: "bar" as const, label: nameOf(mark.row) }
    return { mark: named, group: [named], x, width: Math.max(minBar_px, end - x), y: 15 + index * heights.viewer }
  })
})

const stepPath = (
  points: ReadonlyArray<{ readonly x: number; readonly y: number }>,
  close: { readonly x: number; readonly y: number } | undefined
): string => {
  let path = ""
  let before: { readonly y: number } | undefined
  for (const { x, y } of points) {
    path += before === undefined ? `M${x} ${y}` : `L${x} ${before.y}L${x} ${y}`
    before = { y }
  }
  return close === undefined || points[0] === undefined
    ? path
    : `${path}L${close.x} ${close.y}L${points[0].x} ${close.y}Z`
}

const moneyLane = (marks: ReadonlyArray<Mark>, input: PlacementInput): LaneContent => {
  const { call_id, last, model, scale, width } = input
  const steps = heldSteps(model.entries, call_id, model.began_at)
  const most = Math.max(1, ...steps.map(({ call_minor, legs_minor }) => call_minor + legs_minor))
  const bottom = heights.money - 6
  const y = (minor: number) => bottom - (minor / most) * (bottom - 14)
  const x = (ms: number) => scale.at(ms) * width
  const final = steps.at(-1)
  const path = (value: (step: HeldStep) => number, closed: boolean) => {
    const points = [
      { x: 0, y: y(0) },
      ...steps.map((step) => ({ x: x(step.ms), y: y(value(step)) })),
      ...(final === undefined ? [] : [{ x: x(last), y: y(value(final)) }])
    ]
    return stepPath(points, closed ? { x: x(last), y: y(0) } : undefined)
  }
  const all = ({ call_minor, legs_minor }: HeldStep) => call_minor + legs_minor
  const levelAt = (ms: number) => {
    const step = steps.findLast((each) => each.ms <= ms)
    return y(step === undefined ? 0 : all(step))
  }
  return {
    height: heights.money,
    rows: [],
    spans: [],
    marks: placeRow(marks, 0, input).map((placed) => ({ ...placed, y: levelAt(placed.mark.from) })),
    areas: { own: path(({ call_minor }) => call_minor, true), all: path(all, true), line: path(all, false) }
  }
}

const contentOf = (lane: Lane, marks: ReadonlyArray<Mark>, input: PlacementInput): LaneContent => {
  if (lane === "pbx") return pbxLane(marks, input)
  if (lane === "money") return moneyLane(marks, input)
  return lane === "viewers" ? viewersLane(marks, input) : rowsLane(lane, marks, input)
}

/** The lanes that have something to show, from top to bottom. */
export const placeLanes = (input: PlacementInput): ReadonlyArray<PlacedLane> => {
  let top = axis_px
  return lanes.flatMap(([lane, word]) => {
    const marks = input.model.marks.filter((mark) => mark.lane === lane)
    if (marks.length === 0) return []
    const placed = { lane, word, top, width: input.width, ...contentOf(lane, marks, input) }
    top += placed.height + 1
    return [placed]
  })
}

/** The instants that get a label: both ends, the end of each fold, and others where there is room. */
export const axisLabels = (
  { folds, at }: TimeScale,
  instants: Iterable<number>,
  last: number,
  width: number
): ReadonlyArray<{ readonly ms: number; readonly x: number }> => {
  const room_px = 62
  const labels = [
    { ms: 0, x: 0 },
    { ms: last, x: width }
  ]
  for (const ms of [...folds.map(({ to }) => to), ...instants]) {
    const x = at(ms) * width
    if (ms > 0 && ms < last && labels.every((label) => Math.abs(label.x - x) >= room_px)) labels.push({ ms, x })
  }
  return labels
}
