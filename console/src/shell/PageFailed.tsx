import type { ErrorComponentProps } from "@tanstack/react-router"
import { Button } from "../ui/Button.tsx"
import { State } from "../ui/States.tsx"

/** A defect in the page itself. The rest of the console goes on. */
export const PageFailed = ({ error, reset }: ErrorComponentProps) => (
  <State whole icon="alert" tone="bad" title="This page could not be drawn.">
    <p>Nothing was changed. {error instanceof Error ? error.message : String(error)}</p>
    <Button icon="retry" onClick={reset}>
      Draw it again
    </Button>
  </State>
)
