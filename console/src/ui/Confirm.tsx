import type { ReactNode } from "react"
import { useChange } from "../api/Hooks.ts"
import { Button } from "./Button.tsx"
import { Modal } from "./Modal.tsx"
import { Refused } from "./States.tsx"

interface Props {
  /** A question: "Revoke Reports?" */
  readonly title: string
  /** What will happen. */
  readonly text: ReactNode
  /** The word of the button. */
  readonly act: string
  /** The change, and the paths whose answers it changes. */
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
  readonly stale: ReadonlyArray<string>
  readonly danger?: boolean
  readonly children?: ReactNode
  readonly onClose: () => void
  /** After it was carried out. Default: `onClose`. */
  readonly onDone?: () => void
}

/** Says what a change does before it is made. */
export const Confirm = (props: Props) => {
  const { act, body, children, danger = true, method, onClose, onDone = onClose, path, stale, text, title } = props
  const change = useChange(stale)
  return (
    <Modal open onClose={onClose} title={title} text={text}>
      {children}
      <Button
        kind={danger ? "danger" : "main"}
        wide
        disabled={change.isPending}
        onClick={() => change.mutate({ method, path, ...(body !== undefined && { body }) }, { onSuccess: onDone })}
      >
        {act}
      </Button>
      <Refused error={change.error} />
    </Modal>
  )
}
