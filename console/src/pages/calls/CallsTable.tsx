// A table that holds in the page only the rows in view, so that a list of ten thousand scrolls.
import { Link, useNavigate } from "@tanstack/react-router"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { memo, useEffect, useMemo, useRef } from "react"
import type { CallRecord } from "../../api/Types.ts"
import { clockText, timeText, wordsOf } from "../../ui/Format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Status } from "../../ui/Status.tsx"
import { Money, Phone, Tag, Time } from "../../ui/Values.tsx"
import { attestationText } from "../call/AttestationText.ts"
import styles from "./Calls.module.css"

type Line = { readonly day: string } | { readonly call: CallRecord }

const row_px = 37
const day_px = 31

/** The calls with a heading before the first of each day. */
const linesOf = (calls: ReadonlyArray<CallRecord>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let last: string | undefined
  for (const call of calls) {
    const day = timeText(Date.parse(call.created_at), "day")
    if (day !== last) lines.push({ day })
    last = day
    lines.push({ call })
  }
  return lines
}

const otherEnd = ({ direction, from, to }: CallRecord): string => (direction === "inbound" ? from : to)
const ownEnd = ({ direction, from, to }: CallRecord): string => (direction === "inbound" ? to : from)

const CallRow = memo(({ call, fresh }: { call: CallRecord; fresh: boolean }) => {
  const navigate = useNavigate()
  const { cost_minor, duration_seconds, hangup_cause, id, kind, parent_call_id, status } = call
  const attested = attestationText(call)
  return (
    // The link within is for keyboards and readers; the row is a larger target for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      className={`${styles.row} ${fresh ? styles.fresh : ""}`}
      onClick={() => void navigate({ to: "/calls/$id", params: { id } })}
    >
      <td>
        <Status of={status} />
      </td>
      <td>
        <span className={styles.number}>
          <Icon name={call.direction === "inbound" ? "inward" : "outward"} size={13} />
          <Link to="/calls/$id" params={{ id }} onClick={(event) => event.stopPropagation()}>
            <Phone number={otherEnd(call)} />
          </Link>
          {parent_call_id !== null && <Tag>leg</Tag>}
          {kind === "chatapp" && <Tag>chat app</Tag>}
          {attested !== undefined && <Tag title={attested.meaning}>{attested.label}</Tag>}
        </span>
      </td>
      <td className={`dim ${styles.spare}`}>
        <Phone number={ownEnd(call)} />
      </td>
      <td className={`faint ${styles.spare}`}>{hangup_cause === null ? "" : wordsOf(hangup_cause)}</td>
      <td>
        <Time at={call.created_at} />
      </td>
      <td className={`${styles.end} ${styles.spare}`}>
        {duration_seconds === undefined ? "" : clockText(duration_seconds)}
      </td>
      <td className={styles.end}>
        {cost_minor === undefined ? (
          ""
        ) : cost_minor === 0 ? (
          <span className="faint">0.00</span>
        ) : (
          <Money minor={cost_minor} />
        )}
      </td>
    </tr>
  )
})

const columns = 7

/** The ids and states that were shown before, to tell what has changed by itself. */
const useFresh = (calls: ReadonlyArray<CallRecord>) => {
  const seen = useRef<ReadonlyMap<string, string>>(undefined)
  const before = seen.current
  useEffect(() => {
    seen.current = new Map(calls.map(({ id, status }) => [id, status]))
  }, [calls])
  return ({ id, status }: CallRecord) => before !== undefined && before.get(id) !== status && before.size > 0
}

const Space = ({ height }: { height: number }) =>
  height > 0 && (
    <tr className={styles.space} aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  )

export const CallsTable = (props: {
  readonly calls: ReadonlyArray<CallRecord>
  readonly hasMore: boolean
  readonly onMore: () => void
}) => {
  const { calls, hasMore, onMore } = props
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(calls), [calls])
  const isFresh = useFresh(calls)
  const rows = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => ("day" in (lines[index] ?? {}) ? day_px : row_px),
    overscan: 12,
    scrollMargin: box.current?.offsetTop ?? 0
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= lines.length - 20) onMore()
  }, [hasMore, last, lines.length, onMore])
  const margin = rows.options.scrollMargin
  return (
    <div className={styles.scroll} ref={box}>
      <table className={styles.table} aria-rowcount={hasMore ? -1 : calls.length}>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Other end</th>
            <th scope="col" className={styles.spare}>
              Own number
            </th>
            <th scope="col" className={styles.spare}>
              Why it ended
            </th>
            <th scope="col">Placed</th>
            <th scope="col" className={`${styles.end} ${styles.spare}`}>
              Talk
            </th>
            <th scope="col" className={styles.end}>
              Cost{calls[0] && `, ${calls[0].currency}`}
            </th>
          </tr>
        </thead>
        <tbody>
          <Space height={(shown[0]?.start ?? margin) - margin} />
          {shown.map(({ index }) => {
            const line = lines[index]
            if (line === undefined) return null
            return "day" in line ? (
              <tr key={line.day} className={styles.day}>
                <th scope="rowgroup" colSpan={columns}>
                  {line.day}
                </th>
              </tr>
            ) : (
              <CallRow key={line.call.id} call={line.call} fresh={isFresh(line.call)} />
            )
          })}
          <Space height={rows.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin)} />
        </tbody>
      </table>
    </div>
  )
}
