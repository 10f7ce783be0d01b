import type { ReactNode } from "react"
import styles from "./Facts.module.css"

/** Names with their values, one below the other. A value of undefined is left out. */
export const Facts = ({ facts }: { facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className={styles.facts}>
    {facts.map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )
    )}
  </dl>
)
