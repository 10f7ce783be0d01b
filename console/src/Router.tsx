// The addresses of the console. What a page shows is in its address, so that back, reload and a copied link work.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from "@tanstack/react-router"
import { readCallsSearch } from "./pages/calls/CallsSearch.ts"
import { readNumbersSearch } from "./pages/numbers/NumbersSearch.ts"
import { readOperatorsSearch } from "./pages/operators/OperatorsSearch.ts"
import { readSettingsSearch } from "./pages/settings/SettingsSearch.ts"
import { readWalletSearch } from "./pages/wallet/WalletSearch.ts"
import { readWebhooksSearch } from "./pages/webhooks/WebhooksSearch.ts"
import { NoPage } from "./shell/NoPage.tsx"
import { PageFailed } from "./shell/PageFailed.tsx"
import { Shell } from "./shell/Shell.tsx"

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage })

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/OverviewPage.tsx"))
})

const calls = createRoute({
  getParentRoute: () => root,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: lazyRouteComponent(() => import("./pages/calls/CallsPage.tsx"))
})

const call = createRoute({
  getParentRoute: () => root,
  path: "/calls/$id",
  component: lazyRouteComponent(() => import("./pages/call/CallPage.tsx"))
})

const place = createRoute({
  getParentRoute: () => root,
  path: "/place",
  component: lazyRouteComponent(() => import("./pages/place/PlacePage.tsx"))
})

const softphone = createRoute({
  getParentRoute: () => root,
  path: "/softphone",
  component: lazyRouteComponent(() => import("./pages/softphone/SoftphonePage.tsx"))
})

const numbers = createRoute({
  getParentRoute: () => root,
  path: "/numbers",
  validateSearch: readNumbersSearch,
  component: lazyRouteComponent(() => import("./pages/numbers/NumbersPage.tsx"))
})

const number = createRoute({
  getParentRoute: () => root,
  path: "/numbers/$id",
  component: lazyRouteComponent(() => import("./pages/number/NumberPage.tsx"))
})

const wallet = createRoute({
  getParentRoute: () => root,
  path: "/wallet",
  validateSearch: readWalletSearch,
  component: lazyRouteComponent(() => import("./pages/wallet/WalletPage.tsx"))
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  validateSearch: readWebhooksSearch,
  component: lazyRouteComponent(() => import("./pages/webhooks/WebhooksPage.tsx"))
})

const recordings = createRoute({
  getParentRoute: () => root,
  path: "/recordings",
  component: lazyRouteComponent(() => import("./pages/recordings/RecordingsPage.tsx"))
})

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import("./pages/settings/SettingsPage.tsx"))
})

const operators = createRoute({
  getParentRoute: () => root,
  path: "/operators",
  validateSearch: readOperatorsSearch,
  component: lazyRouteComponent(() => import("./pages/operators/OperatorsPage.tsx"))
})

const newWorkspace = createRoute({
  getParentRoute: () => root,
  path: "/new-workspace",
  component: lazyRouteComponent(() => import("./shell/OwnWorkspacePage.tsx"))
})

const keys = createRoute({
  getParentRoute: () => root,
  path: "/keys",
  component: lazyRouteComponent(() => import("./pages/keys/KeysPage.tsx"))
})

/** Without a session these show the forms; with one there is nothing to sign up for. */
const home = () => <Navigate to="/" replace />
const signUp = createRoute({ getParentRoute: () => root, path: "/sign-up", component: home })

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    calls,
    call,
    place,
    softphone,
    recordings,
    numbers,
    number,
    wallet,
    webhooks,
    keys,
    settings,
    operators,
    newWorkspace,
    signUp
  ]),
  defaultErrorComponent: PageFailed,
  defaultPreload: "intent",
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
