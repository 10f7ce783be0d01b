// Sends past events again.
import { useState } from "react"
import { useChange } from "../../api/Hooks.ts"
import { Button } from "../../ui/Button.tsx"
import { Field, Segmented } from "../../ui/Field.tsx"
import { countText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Note } from "../../ui/States.tsx"
import { Time } from "../../ui/Values.tsx"
import styles from "./Webhooks.module.css"

const which = [
  ["dead_letter", "Those given up"],
  ["all", "All that ended"]
] as const

/** An instant as a field of a date and a time has it, in the viewer's zone. */
const fieldOf = (at: number): string => {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const instantOf = (text: string): string => new Date(text).toISOString()

interface Replayed {
  readonly queued: number
  readonly next_from: string | null
}

export const Replay = ({ endpoint, onClose }: { endpoint: string; onClose: () => void }) => {
  const [from, setFrom] = useState(() => fieldOf(Date.now() - 86_400_000))
  const [to, setTo] = useState(() => fieldOf(Date.now() + 60_000))
  const [only, setOnly] = useState<"dead_letter" | "all">("dead_letter")
  const replay = useChange<Replayed>(["/v1/webhooks"])
  if (replay.data) {
    const { next_from, queued } = replay.data
    return (
      <Modal open onClose={onClose} title="Replay" acts={<Button onClick={onClose}>Close</Button>}>
        <Note tone={queued === 0 ? "calm" : "good"}>
          {queued === 0
            ? "No delivery of that time has to be sent again."
            : `${countText(queued)} events are sent again.`}
        </Note>
        {next_from !== null && (
          <p>
            There were more. Replay again from <Time at={next_from} format="both" />.
          </p>
        )}
      </Modal>
    )
  }
  return (
    <FormModal
      title="Replay events"
      text="Each event is sent again as a new delivery with the same event id. Your receiver must expect duplicates."
      act="Send them again"
      pending={replay.isPending}
      error={replay.error}
      disabled={from === "" || to === ""}
      onClose={onClose}
      onSubmit={() => {
        const body = { from: instantOf(from), to: instantOf(to), only }
        replay.mutate({ method: "POST", path: `/v1/webhooks/${endpoint}/replay`, body })
      }}
    >
      <Segmented label="Which deliveries" options={which} value={only} onChange={setOnly} />
      <div className={styles.period}>
        <Field label="From">
          <input type="datetime-local" required value={from} onChange={({ target }) => setFrom(target.value)} />
        </Field>
        <Field label="To">
          <input type="datetime-local" required value={to} onChange={({ target }) => setTo(target.value)} />
        </Field>
      </div>
    </FormModal>
  )
}
