import { type RefObject, useLayoutEffect, useRef, useState } from "react"
import { offsetText, timeText } from "../../ui/Format.ts"
import type { PlacedMark } from "./Placement.ts"
import styles from "./Waterfall.module.css"

/** How much of a payload a tooltip shows. The whole is in the panel of the pinned entry. */
const max_payload = 420

const excerpt = (detail: unknown): string => {
  const text = JSON.stringify(detail, undefined, 2)
  return text.length > max_payload ? `${text.slice(0, max_payload)} …` : text
}

/** Below its mark, so that it does not cover the causes; above, if there is no room. */
export const WaterfallTip = (props: {
  readonly placed: PlacedMark
  readonly began_at: number
  readonly anchor: RefObject<HTMLElement | null>
}) => {
  const { anchor, began_at, placed } = props
  const tip = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: -9999, top: -9999 })
  const { entry, from } = placed.mark
  useLayoutEffect(() => {
    const mark = anchor.current?.querySelector(`[data-mark="${CSS.escape(placed.mark.id)}"]`)
    if (!mark || !tip.current) return
    const [around, own] = [mark.getBoundingClientRect(), tip.current.getBoundingClientRect()]
    const below = around.bottom + 6
    const fits = below + own.height < window.innerHeight - 8
    const middle = around.left + Math.min(around.width, 60) / 2 - own.width / 2
    setPlace({
      left: Math.max(8, Math.min(window.innerWidth - own.width - 8, middle)),
      top: fits ? below : Math.max(8, around.top - own.height - 6)
    })
  }, [anchor, placed])
  return (
    <div className={styles.tip} role="tooltip" ref={tip} style={place}>
      <div className="row">
        <b className="mono">{entry.kind}</b>
        <span className="grow" />
        <span className="faint num">+{offsetText(from)}</span>
      </div>
      <div className="dim">
        because <span className="mono">{entry.cause}</span>
      </div>
      <div className="faint num">{timeText(began_at + from, "millisecond")}</div>
      {placed.group.length > 1 ? (
        <ul className={styles.groupList}>
          {placed.group.slice(0, 8).map((mark) => (
            <li key={mark.id}>
              <span className="mono">{mark.entry.kind}</span> {mark.label}
            </li>
          ))}
          {placed.group.length > 8 && <li>and {placed.group.length - 8} more: zoom in</li>}
        </ul>
      ) : (
        <pre className={styles.payload}>{excerpt(entry.detail)}</pre>
      )}
    </div>
  )
}
