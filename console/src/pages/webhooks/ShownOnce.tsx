import { Button } from "../../ui/Button.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Note } from "../../ui/States.tsx"

/** A secret that no request can read again. It is nowhere but on the screen. */
export const ShownOnce = ({ onClose, secret }: { secret: string; onClose: () => void }) => (
  <Modal
    open
    onClose={onClose}
    title="The secret of the endpoint"
    acts={<Button onClick={onClose}>I have stored it</Button>}
  >
    <Note tone="wait">
      <b>It is shown only now.</b> Store it where your receiver verifies signatures.
    </Note>
    <CopyText text={secret} label="secret" />
  </Modal>
)
