// The timeline as a list: time flows down, a rail keeps the lanes.
import { amountText, offsetText } from "../../ui/Format.ts"
import styles from "./EventLog.module.css"
import { laneOf, lanes, type Mark, type TimelineModel } from "./TimelineModel.ts"

const order = lanes.map(([lane]) => lane)

const figureOf = ({ entry, form, from, to }: Mark): string => {
  const amount = entry.detail["amount_minor"]
  if (form === "money" && typeof amount === "number") return amountText(amount)
  return form === "bar" && to !== undefined && to > from ? offsetText(to - from) : ""
}

/** How many entries are drawn; the others are in the waterfall. */
const max_rows = 1_000

export const EventLog = (props: {
  readonly model: TimelineModel
  readonly call_id: string
  readonly instant: number
  readonly last: number
  readonly pinned: string | undefined
  readonly onPin: (id: string) => void
  readonly onInstant: (ms: number) => void
}) => {
  const { call_id, instant, last, model, onInstant, onPin, pinned } = props
  const marks = new Map(model.marks.map((mark) => [mark.id, mark]))
  return (
    <>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={Math.max(1, Math.round(last))}
        value={Math.round(instant)}
        aria-label="Time within the call"
        aria-valuetext={offsetText(instant)}
        onChange={(event) => onInstant(Number(event.target.value))}
      />
      <ol className={styles.log}>
        {model.entries.slice(-max_rows).map((entry) => {
          const lane = laneOf(entry)
          const ms = Date.parse(entry.at) - model.began_at
          const mark = marks.get(entry.id)
          return (
            <li key={entry.id}>
              <button
                type="button"
                className={`${styles.line} ${styles[lane]} ${ms > instant ? styles.later : ""}`}
                aria-pressed={entry.id === pinned}
                onClick={() => onPin(entry.id)}
              >
                <span className="num faint">{offsetText(ms)}</span>
                <span className={styles.rail} aria-hidden="true">
                  <b style={{ insetInlineStart: `${order.indexOf(lane) * 20}%` }} />
                </span>
                <span className={styles.words}>
                  <span className={`mono ${styles.kind}`}>{entry.kind}</span>{" "}
                  {mark && mark.form !== "event" && mark.form !== "money" && <span className="dim">{mark.label}</span>}{" "}
                  {mark && <span className={mark.failed ? styles.failed : "num dim"}>{figureOf(mark)}</span>}
                  <small>
                    because {entry.cause}
                    {entry.call_id !== call_id && ", leg"}
                  </small>
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </>
  )
}
