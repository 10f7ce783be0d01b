import { Dialog } from "@base-ui/react/dialog"
import type { ReactElement, ReactNode } from "react"
import { IconButton } from "./Button.tsx"
import styles from "./Modal.module.css"

/** A dialog over the page. Escape and a click beside it close it. */
export const Modal = (props: {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly text?: ReactNode
  readonly children: ReactNode
  readonly acts?: ReactElement | undefined
  readonly wide?: boolean
}) => (
  <Dialog.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className={styles.backdrop} />
      <Dialog.Popup className={`${styles.popup} ${props.wide ? styles.wide : ""}`}>
        <header className={styles.head}>
          <Dialog.Title className={styles.title}>{props.title}</Dialog.Title>
          <Dialog.Close render={<IconButton icon="cross" label="Close" kind="bare" small />} />
        </header>
        {props.text !== undefined && <Dialog.Description className={styles.text}>{props.text}</Dialog.Description>}
        <div className={styles.body}>{props.children}</div>
        {props.acts && <footer className={styles.foot}>{props.acts}</footer>}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
