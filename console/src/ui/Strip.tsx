import type { ReactNode } from "react"
import styles from "./Strip.module.css"

export interface Fact {
  readonly label: string
  readonly value: ReactNode
  readonly small?: ReactNode
}

/** A few figures beside each other. */
export const Strip = ({ facts }: { facts: ReadonlyArray<Fact> }) => (
  <dl className={styles.strip}>
    {facts.map(({ label, small, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          {value}
          {small !== undefined && <small>{small}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
