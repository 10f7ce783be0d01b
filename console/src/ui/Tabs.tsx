import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import styles from "./Tabs.module.css"

/** The parts of a page. Each has an address, so they are links. */
export const Tabs = (props: {
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly word: ReactNode; readonly link: LinkProps; readonly on: boolean }>
}) => (
  <nav className={styles.tabs} aria-label={props.label}>
    {props.tabs.map(({ link, on, word }, index) => (
      <Link
        key={index}
        {...link}
        className={`${styles.tab} ${on ? styles.on : ""}`}
        aria-current={on ? "true" : undefined}
      >
        {word}
      </Link>
    ))}
  </nav>
)
