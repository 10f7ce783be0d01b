import type { FormEvent, ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Modal } from "./Modal.tsx"
import { Refused } from "./States.tsx"

interface Props {
  readonly title: string
  readonly text?: ReactNode
  /** The word of its button. */
  readonly act: string
  readonly pending: boolean
  readonly error: unknown
  readonly disabled?: boolean
  readonly wide?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form over the page, with one button that sends it. */
export const FormModal = (props: Props) => {
  const { act, children, disabled = false, error, onClose, onSubmit, pending, text, title, wide = false } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending && !disabled) onSubmit()
  }
  return (
    <Modal open onClose={onClose} title={title} text={text} wide={wide}>
      <form className="stack loose" onSubmit={submit}>
        {children}
        <Button type="submit" kind="main" wide disabled={pending || disabled}>
          {act}
        </Button>
        <Refused error={error} />
      </form>
    </Modal>
  )
}
