// What customers and operators see of a caller id.
import type { CallerId } from "../api/Types.ts"
import { Status } from "./Status.tsx"
import type { Column } from "./Table.tsx"
import { Phone, Time } from "./Values.tsx"

const words = {
  calling: "Code spoken",
  unverified: "Not proved",
  verified: "Proved",
  revoked: "Forbidden"
} as const
const shapes = { calling: "ringing", unverified: "inactive", verified: "succeeded", revoked: "blocked" } as const

export const callerIdColumns: ReadonlyArray<Column<CallerId>> = [
  { title: "Status", cell: ({ status }) => <Status of={shapes[status]} word={words[status]} /> },
  { title: "Number", cell: ({ number }) => <Phone number={number} /> },
  {
    title: "Until",
    cell: ({ expires_at }) => expires_at !== null && <Time at={expires_at} format="date" />,
    spare: true
  },
  { title: "Why it was not called", cell: ({ failure }) => <span className="faint">{failure}</span>, spare: true }
]
