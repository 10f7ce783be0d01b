// The storage of recordings: how full it is, what a month costs, and changing its size.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { ChangedStorage, Storage } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Field } from "../../ui/Field.tsx"
import { bytesText, countText, moneyText, percentText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { Loaded, Note } from "../../ui/States.tsx"
import { Money, Time } from "../../ui/Values.tsx"
import styles from "./Recordings.module.css"

const mebi = 1_048_576
const sizes_gb = [5, 10, 25, 50, 100, 250] as const
const path = "/v1/storage"

const sizeText = (tier_mb: number): string => bytesText(tier_mb * mebi)

const Changed = ({ changed, onClose }: { changed: ChangedStorage; onClose: () => void }) => (
  <Modal open onClose={onClose} title="Storage" acts={<Button onClick={onClose}>Close</Button>}>
    <Note tone="good">
      {changed.effective === "now" ? (
        <>
          The size is {sizeText(changed.tier_mb)} now.{" "}
          {changed.charge_minor > 0 && changed.currency !== null
            ? `${moneyText(changed.charge_minor, changed.currency)} were charged for the rest of the month.`
            : "Nothing was charged."}
        </>
      ) : (
        "The smaller size applies from the 1st of the next month."
      )}
    </Note>
  </Modal>
)

const ChangeSize = ({ onClose, storage }: { storage: Storage; onClose: () => void }) => {
  const [size, setSize] = useState("5")
  const change = useChange<ChangedStorage>([path, "/v1/wallet"])
  if (change.data) return <Changed changed={change.data} onClose={onClose} />
  const free = size === "free"
  return (
    <FormModal
      title="Change the size"
      text="A larger size applies at once, and the rest of the month is charged. A smaller one applies on the 1st; if the recordings do not fit then, the oldest are deleted."
      act={free ? "Return to the free size" : `Change it to ${size} GB`}
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() =>
        change.mutate(
          free
            ? { method: "DELETE", path: "/v1/storage/tier" }
            : { method: "PUT", path: "/v1/storage/tier", body: { tier_gb: Number(size) } }
        )
      }
    >
      <Field label="Size" hint={`Now: ${sizeText(storage.tier_mb)}`}>
        <select value={size} onChange={({ target }) => setSize(target.value)}>
          {sizes_gb.map((gb) => (
            <option key={gb} value={gb}>
              {gb} GB
            </option>
          ))}
          <option value="free">100 MB, free</option>
        </select>
      </Field>
    </FormModal>
  )
}

const Fill = ({ storage: { tier_mb, used_bytes } }: { storage: Storage }) => {
  const part = Math.min(1, used_bytes / (tier_mb * mebi))
  return (
    <div
      className={`${styles.used} ${part > 0.9 ? styles.full : ""}`}
      role="img"
      aria-label={`${percentText(part)} of the storage is used`}
    >
      <i style={{ inlineSize: `${part * 100}%` }} />
    </div>
  )
}

const Body = ({ storage }: { storage: Storage }) => {
  const { currency, past_due_since, pending_tier_mb, price_minor, recordings, renews_at, retention_days } = storage
  return (
    <div className="stack loose">
      {past_due_since !== null && (
        <Note tone="bad">
          <b>Its month is not paid.</b> 72 hours after <Time at={past_due_since} format="both" /> the storage falls back
          to the free 100 MB, and the oldest recordings are deleted. Top up.
        </Note>
      )}
      <Fill storage={storage} />
      <Facts
        facts={[
          ["Used", `${bytesText(storage.used_bytes)} of ${sizeText(storage.tier_mb)}`],
          ["Recordings", `${countText(recordings)}, each kept for ${retention_days} days`],
          ["A month", price_minor === 0 ? "free" : <Money key="price" minor={price_minor} currency={currency} />],
          ["Renews", renews_at === null ? undefined : <Time key="renews" at={renews_at} format="date" />],
          ["From the 1st", pending_tier_mb === null ? undefined : sizeText(pending_tier_mb)]
        ]}
      />
    </div>
  )
}

export const StorageCard = () => {
  const { admin } = usePermissions()
  const [changing, setChanging] = useState(false)
  const read = useRead<Storage>(path, { every_ms: 10_000 })
  return (
    <Card
      title="Storage"
      acts={
        admin &&
        read.data && (
          <Button small onClick={() => setChanging(true)}>
            Change the size
          </Button>
        )
      }
    >
      <Loaded read={read} what="The storage" rows={3}>
        {(storage) => (
          <>
            <Body storage={storage} />
            {changing && <ChangeSize storage={storage} onClose={() => setChanging(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  )
}
