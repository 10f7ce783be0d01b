import { amountText, offsetText } from "../../ui/Format.ts"
import { Glyph, type Shape } from "../../ui/Status.tsx"
import type { PlacedLane, PlacedMark } from "./Placement.ts"
import type { Mark } from "./TimelineModel.ts"
import styles from "./Waterfall.module.css"

export interface MarkHandlers {
  readonly onLook: (id: string | undefined) => void
  readonly onPin: (id: string) => void
  readonly onKey: (id: string, key: string) => void
}

const eventShapes: Readonly<Record<string, Shape>> = {
  "call.ringing": "ringing",
  "call.answered": "dotted",
  "call.bridged": "dotted",
  "call.completed": "tick",
  "call.busy": "bar",
  "call.failed": "diamond",
  "call.canceled": "stroke",
  "call.dtmf": "bar",
  "call.balance_low": "triangle",
  "call.callback_failed": "diamond"
}

const Point = ({ form, entry }: Mark) => {
  if (form === "command") {
    return (
      <svg width={9} height={9} viewBox="0 0 9 9" aria-hidden="true">
        <path d="M4.5.3 8.700 4.500 4.500 8.700.3 4.500Z" fill="currentColor" />
      </svg>
    )
  }
  if (form === "money") {
    return (
      <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
        <circle cx={5} cy={5} r={4} fill="var(--surface)" stroke="currentColor" strokeWidth={2} />
      </svg>
    )
  }
  return <Glyph name={eventShapes[entry.kind] ?? "hollow"} size={13} />
}

/** What stands beside a mark, if there is room. */
export const noteOf = ({ entry, failed, form, from, label, to }: Mark): string => {
  const amount = entry.detail["amount_minor"]
  if (form === "money") return typeof amount === "number" ? amountText(amount) : ""
  if (form !== "bar") return ""
  if (entry.kind === "action.started" || entry.kind === "stream.opened") return label
  return failed ? label : offsetText((to ?? from) - from)
}

/** The room to the next mark of the same row. */
const roomAfter = (placed: PlacedMark, { marks, width }: PlacedLane): number => {
  const end = placed.x + placed.width
  const next = marks.find((other) => other.y === placed.y && other.x > placed.x)
  return (next?.x ?? width) - end
}

export const MarkButton = (props: {
  readonly placed: PlacedMark
  readonly lane: PlacedLane
  readonly pinned: boolean
  readonly lit: boolean
  /** Whether the tab key stops here; the arrow keys lead to the others. */
  readonly isStop: boolean
  readonly handlers: MarkHandlers
}) => {
  const { handlers, isStop, lane, lit, pinned, placed } = props
  const { group, mark, width, x, y } = placed
  const isBar = mark.form === "bar"
  const note = group.length > 1 ? "" : noteOf(mark)
  const showsNote = note !== "" && note.length * 6.2 + 16 < roomAfter(placed, lane)
  const inside = isBar && note.length * 6 + 10 < width
  const label = `+${offsetText(mark.from)}, ${lane.word}, ${mark.entry.kind}${
    group.length > 1 ? ` and ${group.length - 1} more` : ` ${mark.label}`
  }, because ${mark.entry.cause}`
  return (
    <>
      <button
        type="button"
        data-mark={mark.id}
        tabIndex={isStop ? 0 : -1}
        aria-label={label}
        aria-pressed={pinned}
        className={[
          styles.mark,
          isBar && styles.bar,
          mark.failed && styles.failed,
          !lit && styles.dimmed,
          mark.form === "bar" && mark.to === undefined && styles.open
        ]
          .filter(Boolean)
          .join(" ")}
        style={{ insetInlineStart: x, insetBlockStart: y, ...(isBar && { inlineSize: width + 8 }) }}
        onMouseEnter={() => handlers.onLook(mark.id)}
        onMouseLeave={() => handlers.onLook(undefined)}
        onFocus={(event) => event.target.matches(":focus-visible") && handlers.onLook(mark.id)}
        onBlur={() => handlers.onLook(undefined)}
        onClick={() => handlers.onPin(mark.id)}
        onKeyDown={(event) => {
          if (!/^(?:Arrow|Home$|End$)/.test(event.key)) return
          event.preventDefault()
          handlers.onKey(mark.id, event.key)
        }}
      >
        {isBar ? (
          <i>{inside && <span>{note}</span>}</i>
        ) : group.length > 1 ? (
          <b className={styles.count}>{group.length}</b>
        ) : (
          <Point {...mark} />
        )}
      </button>
      {showsNote && !inside && (
        <span
          className={`${styles.note} ${mark.failed ? styles.failed : ""} ${lit ? "" : styles.dimmed}`}
          style={{ insetInlineStart: x + width + 9, insetBlockStart: mark.form === "money" ? y - 9 : y }}
          aria-hidden="true"
        >
          {note}
        </span>
      )}
    </>
  )
}
