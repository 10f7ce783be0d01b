import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { ApiError } from "./api/Request.ts"
import { router } from "./Router.tsx"
import { applyTheme } from "./shell/Theme.ts"
import "./styles/tokens.css"
import "./styles/ground.css"

applyTheme()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; what could not be reached is asked again.
      retry: (failures, error) => failures < 3 && (!(error instanceof ApiError) || error.status >= 500),
      refetchOnWindowFocus: true
    }
  }
})

const root = document.getElementById("root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
