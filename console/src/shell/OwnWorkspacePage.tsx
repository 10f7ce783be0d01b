// An operator creates a workspace of their own.
import { Navigate } from "@tanstack/react-router"
import { Card } from "../ui/Card.tsx"
import { PageHead } from "../ui/PageHead.tsx"
import { NewWorkspaceForm } from "./NewWorkspacePage.tsx"
import { useSession } from "./Session.tsx"

const OwnWorkspacePage = () =>
  useSession().workspace === undefined ? (
    <>
      <PageHead title="Create a workspace" text="A workspace has its own numbers, calls and money." />
      <Card title="The workspace">
        <NewWorkspaceForm />
      </Card>
    </>
  ) : (
    <Navigate to="/" replace />
  )

export default OwnWorkspacePage
