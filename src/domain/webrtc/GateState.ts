// What the WebRTC gate knows of one connection: its token, the requests that wait for a response, and the dialogs.
// All of it is bounded, and each entry ends by itself after a time.
import type { Party } from "./SipAddress.ts"
import type { SipRequest, SipResponse } from "./SipMessage.ts"

/** A request of the browser that waits for the PBX. */
export interface BrowserRequest {
  readonly request: SipRequest
  /** The gate's branch towards the PBX; a new one when the request is repeated with credentials. */
  readonly branch: string
  /** `accepted`: a 2xx to an INVITE, which may be repeated until it is acknowledged (RFC 6026). */
  readonly phase: "sent" | "challenged" | "repeated" | "accepted"
  /** Undefined for a request without a dialog. */
  readonly dialog: Dialog | undefined
  readonly ends_at: number
}

/** A request of the PBX that waits for the browser. */
export interface PbxRequest {
  readonly request: SipRequest
  /** The gate's branch towards the browser. */
  readonly branch: string
  readonly phase: "sent" | "accepted"
  readonly dialog: Dialog | undefined
  /** The browser's tag, which does not change once it is set. */
  readonly tag: string | undefined
  readonly ends_at: number
}

/** A call as both ends know it (RFC 3261, section 12). `local` is the browser, `remote` the other party. */
export interface Dialog {
  readonly call_id: string
  readonly local_tag: string
  readonly remote_tag: string
  /** The name under which the PBX called the browser. The browser's From may be this one instead of its own. */
  readonly local_user: string | undefined
  readonly remote: Party
  /** Where the PBX wants the browser's requests of this call, printed. */
  readonly target: string
  readonly routes: ReadonlyArray<string>
  /** False until the call is answered. */
  readonly is_confirmed: boolean
  readonly ends_at: number
}

export interface GateToken {
  /** The token's subject: the user of the browser's From headers. */
  readonly username: string
  readonly incoming: boolean
  readonly outgoing: boolean
  /** Epoch milliseconds. */
  readonly expires_at: number
}

export interface GateState extends GateToken {
  /** The domain of SIP addresses. */
  readonly domain: string
  /** The browser's host towards the PBX, as RFC 7118 wants it: a name in `.invalid`, for this connection only. */
  readonly host: string
  /** The token bucket of the browser's messages (src/domain/access/Quota.ts), epoch milliseconds. */
  readonly full_at: number
  /** How many branches were made. */
  readonly branches: number
  readonly from_browser: ReadonlyArray<BrowserRequest>
  readonly from_pbx: ReadonlyArray<PbxRequest>
  readonly dialogs: ReadonlyArray<Dialog>
  /** The users of the contacts that this connection has registered. */
  readonly registered: ReadonlyArray<string>
}

export const gateLimits = {
  /** Requests of one side that wait for a response. */
  requests: 32,
  dialogs: 32,
  /** Messages of the browser. A client that dials, registers and sends digits stays far below. */
  messages: { burst: 100, per_second: 20 },
  contacts: 4,
  /** 64 times T1 (RFC 3261, section 17): a request that is not an INVITE, and an INVITE after its 2xx. */
  request_ms: 32_000,
  /** Longer than any call rings, at several destinations one after the other. */
  ringing_ms: 3_600_000,
  /** As long as a call may last. Each request within the call begins it anew. */
  call_ms: 4 * 3_600_000
} as const

/** `connection` is unique among all connections, and of letters, digits and hyphens. */
export const openGate = (token: GateToken & { readonly domain: string; readonly connection: string }): GateState => {
  const { connection, domain, expires_at, incoming, outgoing, username } = token
  return {
    username,
    incoming,
    outgoing,
    expires_at,
    domain,
    host: `${connection}.invalid`,
    full_at: 0,
    branches: 0,
    from_browser: [],
    from_pbx: [],
    dialogs: [],
    registered: []
  }
}

/** Without the entries whose time is over. */
export const purge = (state: GateState, now: number): GateState => {
  const lasts = ({ ends_at }: { readonly ends_at: number }) => now < ends_at
  const { dialogs, from_browser, from_pbx } = state
  return [dialogs, from_browser, from_pbx].every((entries) => entries.every(lasts))
    ? state
    : {
        ...state,
        dialogs: dialogs.filter(lasts),
        from_browser: from_browser.filter(lasts),
        from_pbx: from_pbx.filter(lasts)
      }
}

export const withBranch = (state: GateState): { readonly state: GateState; readonly branch: string } => ({
  state: { ...state, branches: state.branches + 1 },
  branch: `z9hG4bK${state.host.split(".", 1)[0]}.${state.branches + 1}`
})

const isOfCall = (method: string): boolean => method === "INVITE" || method === "BYE"

/** Whether a call is under way, being placed or being ended. */
export const hasCall = ({ dialogs, from_browser, from_pbx }: GateState): boolean =>
  dialogs.length > 0 ||
  from_browser.some(({ phase, request }) => isOfCall(request.method) && phase !== "accepted") ||
  from_pbx.some(({ phase, request }) => isOfCall(request.method) && phase !== "accepted")

export const isSameDialog = (one: Dialog, other: Dialog): boolean =>
  one.call_id === other.call_id && one.local_tag === other.local_tag && one.remote_tag === other.remote_tag

const isOf = (dialog: Dialog, call_id: string, local: Party, remote: Party): boolean =>
  dialog.call_id === call_id && dialog.local_tag === local.tag && dialog.remote_tag === remote.tag

export const dialogOfBrowser = ({ dialogs }: GateState, { call_id, from, to }: SipRequest): Dialog | undefined =>
  dialogs.find((dialog) => isOf(dialog, call_id, from, to))
export const dialogOfPbx = ({ dialogs }: GateState, { call_id, from, to }: SipRequest): Dialog | undefined =>
  dialogs.find((dialog) => isOf(dialog, call_id, to, from))

/** Adds the dialog, or replaces it. A full table takes no new one. */
export const putDialog = (state: GateState, dialog: Dialog): GateState => {
  const others = state.dialogs.filter((other) => !isSameDialog(other, dialog))
  return others.length < gateLimits.dialogs ? { ...state, dialogs: [...others, dialog] } : state
}

/** Ends the call. A repeated 2xx to its INVITE must not bring it back. */
export const dropDialog = (state: GateState, dialog: Dialog): GateState => {
  const isPending = ({ phase, request }: BrowserRequest | PbxRequest) =>
    phase !== "accepted" || request.call_id !== dialog.call_id
  return {
    ...state,
    dialogs: state.dialogs.filter((other) => !isSameDialog(other, dialog)),
    from_browser: state.from_browser.filter(isPending),
    from_pbx: state.from_pbx.filter(isPending)
  }
}

/** Ends the unanswered dialogs of a call that failed. */
export const dropEarly = (state: GateState, call_id: string, local_tag: string | undefined): GateState => ({
  ...state,
  dialogs: state.dialogs.filter(
    (dialog) =>
      dialog.is_confirmed || dialog.call_id !== call_id || (local_tag !== undefined && dialog.local_tag !== local_tag)
  )
})

export const putBrowserRequest = (state: GateState, entry: BrowserRequest): GateState => ({
  ...state,
  from_browser: [...state.from_browser.filter(({ request }) => !isSameRequest(request, entry.request)), entry]
})
export const dropBrowserRequest = (state: GateState, { request }: BrowserRequest): GateState => ({
  ...state,
  from_browser: state.from_browser.filter((other) => !isSameRequest(other.request, request))
})

export const putPbxRequest = (state: GateState, entry: PbxRequest): GateState => ({
  ...state,
  from_pbx: [...state.from_pbx.filter(({ request }) => !isSameRequest(request, entry.request)), entry]
})
export const dropPbxRequest = (state: GateState, { request }: PbxRequest): GateState => ({
  ...state,
  from_pbx: state.from_pbx.filter((other) => !isSameRequest(other.request, request))
})

const isSameRequest = (one: SipRequest, other: SipRequest): boolean =>
  one.method === other.method && one.via.branch === other.via.branch

/** The pending request with this branch, as its sender wrote it. */
export const pendingOf = <Entry extends { readonly request: SipRequest }>(
  entries: ReadonlyArray<Entry>,
  method: string,
  branch: string
): Entry | undefined => entries.find(({ request }) => request.method === method && request.via.branch === branch)

/** The pending request that the response answers: by the gate's own branch, in the same call. */
export const answeredBy = <Entry extends { readonly request: SipRequest; readonly branch: string }>(
  entries: ReadonlyArray<Entry>,
  { call_id, from, method, via, vias }: SipResponse
): Entry | undefined =>
  vias.length > 1
    ? undefined
    : entries.find(
        ({ branch, request }) =>
          branch === via.branch &&
          request.method === method &&
          request.call_id === call_id &&
          request.from.tag === from.tag
      )
