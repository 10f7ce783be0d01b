import { type ReactNode, useEffect } from "react"
import styles from "./PageHead.module.css"

/** The heading of a page, its title in the browser, and what can be done on it. */
export const PageHead = (props: { readonly title: string; readonly text?: ReactNode; readonly acts?: ReactNode }) => {
  useEffect(() => {
    document.title = `${props.title} · trunkline`
  }, [props.title])
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1>{props.title}</h1>
        {props.text !== undefined && <p className="dim">{props.text}</p>}
      </div>
      {props.acts !== undefined && <div className="row wrap">{props.acts}</div>}
    </div>
  )
}
