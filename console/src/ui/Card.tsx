import { type ReactNode, useId } from "react"
import styles from "./Card.module.css"

interface Props {
  readonly title: string
  /** A figure or a word beside the title. */
  readonly note?: ReactNode
  readonly acts?: ReactNode
  readonly foot?: ReactNode
  /** Without padding, for tables and plots. */
  readonly bare?: boolean
  readonly children: ReactNode
}

export const Card = ({ acts, bare = false, children, foot, note, title }: Props) => {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <span className="grow" />
        {acts}
      </header>
      {bare ? children : <div className={styles.body}>{children}</div>}
      {foot !== undefined && <footer className={styles.foot}>{foot}</footer>}
    </section>
  )
}
