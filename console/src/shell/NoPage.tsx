import { ButtonLink } from "../ui/Button.tsx"
import { State } from "../ui/States.tsx"

export const NoPage = () => (
  <State whole icon="search" title="There is no page at this address.">
    <p>It may have moved, or the address has a typing error.</p>
    <ButtonLink to="/">To the overview</ButtonLink>
  </State>
)
