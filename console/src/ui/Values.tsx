// Values in the form that every page gives them.
import { amountText, minus, phoneText, type TimeFormat, timeText, utcText } from "./Format.ts"
import styles from "./Values.module.css"

/** The currency stands before the figure, smaller and paler. `sign`: shows a plus, too. */
export const Money = ({
  currency,
  minor,
  sign = false
}: {
  minor: number
  currency?: string | null
  sign?: boolean
}) => (
  <span className={styles.money}>
    {currency && <span className={styles.currency}>{currency}</span>}
    {minor < 0 ? minus : sign ? "+" : ""}
    {amountText(minor)}
  </span>
)

/** In the viewer's zone; the title has UTC. */
export const Time = ({ at, format = "second" }: { at: string | number; format?: TimeFormat }) => {
  const instant = typeof at === "number" ? at : Date.parse(at)
  return (
    <time dateTime={new Date(instant).toISOString()} title={utcText(instant)} className={styles.time}>
      {timeText(instant, format)}
    </time>
  )
}

export const Phone = ({ number }: { number: string }) => <span className={styles.phone}>{phoneText(number)}</span>

export const Tag = ({ children, title }: { children: string; title?: string }) => (
  <span className={styles.tag} title={title}>
    {children}
  </span>
)

export const Code = ({ children }: { children: string }) => <code className={styles.codeTag}>{children}</code>

/** The part of a balance that can be spent, and the part that is set aside. */
export const WalletBar = ({ balance, held, label }: { balance: number; held: number; label: string }) => {
  const part = balance <= 0 ? 0 : Math.min(1, held / balance)
  return (
    <div className={styles.bar} role="img" aria-label={label}>
      <i className={styles.free} style={{ inlineSize: `${(1 - part) * 100}%` }} />
      {held > 0 && <i className={styles.held} style={{ inlineSize: `${Math.max(1.5, part * 100)}%` }} />}
    </div>
  )
}

/** The minute that is paid: full at 60 s, with a tick at 50 s, where the next one is set aside. */
export const PaidMinute = ({ talk_seconds }: { talk_seconds: number }) => {
  const into = talk_seconds % 60
  return (
    <span
      className={`${styles.minute} ${into >= 50 ? styles.late : ""}`}
      role="img"
      aria-label={`${Math.round(into)} s of the paid minute`}
    >
      <i style={{ inlineSize: `${(into / 60) * 100}%` }} />
    </span>
  )
}
