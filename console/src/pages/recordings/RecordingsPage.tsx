// What was recorded, to listen to and to delete, and the storage that it takes.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { Recording } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { bytesText, clockText } from "../../ui/Format.ts"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, wholeCell } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"
import { Listen } from "./Listen.tsx"
import { StorageCard } from "./StorageCard.tsx"

interface Acts {
  readonly onListen: (recording: Recording) => void
  /** Undefined: the role may not delete. */
  readonly onDelete: ((recording: Recording) => void) | undefined
}

const columnsOf = ({ onDelete, onListen }: Acts): ReadonlyArray<Column<Recording>> => [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Call",
    cell: ({ call_id, created_at }) => (
      <Link to="/calls/$id" params={{ id: call_id }} className={wholeCell}>
        <Time at={created_at} format="both" />
      </Link>
    )
  },
  {
    title: "Length",
    cell: ({ duration_seconds }) => duration_seconds !== null && clockText(duration_seconds),
    end: true,
    spare: true
  },
  {
    title: "Size",
    cell: ({ size_bytes }) => size_bytes !== null && bytesText(size_bytes),
    end: true,
    spare: true
  },
  {
    title: "Kept until",
    cell: ({ expires_at }) => expires_at !== null && <Time at={expires_at} format="date" />,
    end: true,
    spare: true
  },
  {
    title: <span className="unseen">Listen or delete</span>,
    cell: (recording) =>
      recording.status === "available" && (
        <span className="row">
          <span className="grow" />
          <Button small icon="play" onClick={() => onListen(recording)}>
            Listen
          </Button>
          {onDelete && (
            <Button small onClick={() => onDelete(recording)}>
              Delete
            </Button>
          )}
        </span>
      ),
    end: true
  }
]

const RecordingsPage = () => {
  const { admin } = usePermissions()
  const [heard, setHeard] = useState<Recording>()
  const [deleted, setDeleted] = useState<Recording>()
  const read = usePages<Recording>("/v1/recordings", { query: { limit: 50 }, every_ms: 10_000 })
  return (
    <>
      <PageHead title="Recordings" />
      <StorageCard />
      {heard && <Listen key={heard.id} recording={heard} onClose={() => setHeard(undefined)} />}
      {deleted && (
        <Confirm
          title="Delete the recording?"
          text="Its audio is gone for ever. The call stays."
          act="Delete the recording"
          method="DELETE"
          path={`/v1/calls/${deleted.call_id}/recording?recording_id=${deleted.id}`}
          stale={["/v1/recordings", "/v1/storage", "/v1/calls"]}
          onClose={() => setDeleted(undefined)}
        />
      )}
      <Card title="Recordings" bare>
        <PagedTable
          read={read}
          what="The recordings"
          columns={columnsOf({ onListen: setHeard, onDelete: admin ? setDeleted : undefined })}
          keyOf={({ id }) => id}
          more="Show older recordings"
          empty={
            <State icon="recording" title="Nothing was recorded yet.">
              <p>A call is recorded if its number's routing, its actions or the request that places it say so.</p>
            </State>
          }
        />
      </Card>
    </>
  )
}

export default RecordingsPage
