// Whether the number can be called, and what a minute costs, while it is typed.
import { useEffect, useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import { ApiError } from "../../api/Request.ts"
import type { DestinationCheck } from "../../api/Types.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Money, Phone } from "../../ui/Values.tsx"
import { countText } from "../../ui/Format.ts"
import styles from "./Place.module.css"

const typing_ms = 250
/** Shorter inputs are not asked about: nobody has finished typing. */
const min_length = 4

const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typing_ms)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export const useNumberCheck = (from: string | undefined, to: string) => {
  const settled = useSettled(to.trim())
  const enabled = from !== undefined && settled.length >= min_length
  const read = useRead<DestinationCheck>("/v1/calls/destination-check", {
    enabled,
    query: { from, to: settled },
    keep: true
  })
  const current = settled === to.trim() && enabled && !read.isPlaceholderData
  return {
    check: current ? read.data : undefined,
    error: current ? read.error : undefined,
    asking: to.trim() !== "" && !(current && (read.data !== undefined || read.error !== null))
  }
}

const countries = new Intl.DisplayNames("en", { type: "region" })

type Result = ReturnType<typeof useNumberCheck>

const Refusal = ({ error }: { error: unknown }) => (
  <div className={`${styles.check} ${styles.bad}`}>
    <Icon name="cross" />
    <div>
      <b>{error instanceof Error ? error.message : "The number could not be checked."}</b>
      {error instanceof ApiError && <p className="dim">{error.resolution}</p>}
    </div>
  </div>
)

export const NumberVerdict = ({ asking, check, error }: Result) => {
  if (error) return <Refusal error={error} />
  if (check === undefined) {
    return (
      <div className={styles.check}>
        <Icon name={asking ? "clock" : "info"} />
        <p className="dim">
          {asking
            ? "Checks the number …"
            : "Type a number as you would dial it. Its price stands here before you call."}
        </p>
      </div>
    )
  }
  const { affordable_minutes, country, currency, matched_prefix, normalized_to, rate_per_min_minor, rated } = check
  const enough = check.sufficient_funds !== false
  return (
    <div className={`${styles.check} ${rated && enough ? styles.good : styles.bad}`}>
      <Icon name={rated && enough ? "check" : "cross"} />
      <div>
        <b>{normalized_to === null ? check.to : <Phone number={normalized_to} />}</b>
        <p className="dim">
          {!rated
            ? check.message
            : enough
              ? country === null
                ? "No country"
                : countries.of(country)
              : "The wallet cannot pay a minute."}
          {rated && matched_prefix !== null && `, prefix ${matched_prefix}`}
        </p>
      </div>
      {rate_per_min_minor !== null && (
        <div className={styles.price}>
          <Money minor={rate_per_min_minor} currency={currency} />
          <small>a minute{affordable_minutes !== null && `, enough for ${countText(affordable_minutes)}`}</small>
        </div>
      )}
    </div>
  )
}
