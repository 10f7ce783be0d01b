import { ShownOnce } from "../../ui/ShownOnce.tsx"

export const EndpointSecret = ({ onClose, secret }: { secret: string; onClose: () => void }) => (
  <ShownOnce
    title="The secret of the endpoint"
    label="secret"
    text="Store it where your receiver verifies signatures."
    secret={secret}
    onClose={onClose}
  />
)
