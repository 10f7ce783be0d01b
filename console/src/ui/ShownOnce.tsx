import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { CopyText } from "./CopyText.tsx"
import { Modal } from "./Modal.tsx"
import { Note } from "./States.tsx"

interface Props {
  readonly title: string
  /** What the secret is: "secret", "password". */
  readonly label: string
  readonly secret: string
  /** Where to store it. */
  readonly text: string
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** A secret that no request can read again. It is nowhere but on the screen. */
export const ShownOnce = ({ children, label, onClose, secret, text, title }: Props) => (
  <Modal open onClose={onClose} title={title} acts={<Button onClick={onClose}>I have stored it</Button>}>
    <Note tone="wait">
      <b>It is shown only now.</b> {text}
    </Note>
    {children}
    <CopyText text={secret} label={label} />
  </Modal>
)
