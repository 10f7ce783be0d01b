// The calls that are live, with the minute that each has paid. Only rows in view are drawn.
import { Link } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useRef } from "react"
import type { CallRecord } from "../../api/Types.ts"
import { clockText } from "../../ui/Format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Status } from "../../ui/Status.tsx"
import { useNow } from "../../ui/UseNow.ts"
import { Money, PaidMinute, Phone, Tag } from "../../ui/Values.tsx"
import styles from "./Overview.module.css"

const row_px = 37

const LiveRow = ({ call, now }: { call: CallRecord; now: number }) => {
  const inbound = call.direction === "inbound"
  const answered_at = call.answered_at === null ? undefined : Date.parse(call.answered_at)
  const talk_s = answered_at === undefined ? undefined : Math.max(0, (now - answered_at) / 1000)
  return (
    <>
      <span role="cell">
        <Status of={call.status} />
      </span>
      <span role="cell" className={styles.number}>
        <Icon name={inbound ? "inward" : "outward"} size={13} />
        <Link to="/calls/$id" params={{ id: call.id }}>
          <Phone number={inbound ? call.from : call.to} />
        </Link>
        {call.parent_call_id !== null && <Tag>leg</Tag>}
      </span>
      <span role="cell" className={`dim ${styles.spare}`}>
        <Phone number={inbound ? call.to : call.from} />
      </span>
      <span role="cell" className="num">
        {talk_s === undefined ? <span className="faint">–</span> : clockText(talk_s)}
      </span>
      <span role="cell" className={styles.spare}>
        {talk_s === undefined ? (
          <span className="faint">first minute set aside</span>
        ) : (
          <PaidMinute talk_seconds={talk_s} />
        )}
      </span>
      <span role="cell" className={styles.end}>
        <Money minor={call.rate_per_min_minor} />
      </span>
    </>
  )
}

export const LiveCalls = ({ calls }: { calls: ReadonlyArray<CallRecord> }) => {
  const box = useRef<HTMLDivElement>(null)
  const now = useNow(1_000)
  const rows = useVirtualizer({
    count: calls.length,
    getScrollElement: () => box.current,
    estimateSize: () => row_px,
    overscan: 8
  })
  return (
    <div role="table" aria-label="Live calls" aria-rowcount={calls.length + 1}>
      <div role="rowgroup">
        <div role="row" className={`${styles.liveRow} ${styles.liveHead}`}>
          <span role="columnheader">Status</span>
          <span role="columnheader">Other end</span>
          <span role="columnheader" className={styles.spare}>
            Own number
          </span>
          <span role="columnheader">Talk</span>
          <span role="columnheader" className={styles.spare}>
            Paid minute
          </span>
          <span role="columnheader" className={styles.end}>
            {calls[0]?.currency} a minute
          </span>
        </div>
      </div>
      <div role="rowgroup" ref={box} className={styles.liveBody} tabIndex={0} aria-label="Rows of the live calls">
        <div style={{ blockSize: rows.getTotalSize() }} role="none" className={styles.liveSpace}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const call = calls[index]
            return (
              call && (
                <div
                  key={call.id}
                  role="row"
                  aria-rowindex={index + 2}
                  className={styles.liveRow}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LiveRow call={call} now={now} />
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}
