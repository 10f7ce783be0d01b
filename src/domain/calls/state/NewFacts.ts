// The facts of a new call, whoever begins it: a customer, a call that dials, a caller from outside, or a device.
import type { NumberId, WorkspaceId } from "../../BrandedIds.ts"
import type { CallFacts } from "./CallFacts.ts"

/** No call lasts longer. */
export const longestCall_seconds = 14_400
/** How long a destination rings if nobody asked for another time. */
export const defaultRing_seconds = 30

/** Where and when a call begins. */
interface CallOrigin extends Pick<CallFacts, "session_id" | "created_at" | "capabilities"> {
  readonly workspace: Pick<CallFacts, "tenant_pbx_id" | "gateway_id" | "currency"> & { readonly id: WorkspaceId }
  /** The number of the workspace that calls or is called. */
  readonly number: { readonly id: NumberId } | undefined
}

type FactsOfOrigin = keyof Omit<CallOrigin, "workspace" | "number"> | keyof ReturnType<typeof factsOfOrigin>

/** What need not be said of a call. */
type Defaulted =
  | "parent_call_id"
  | "parent_session_id"
  | "max_duration_seconds"
  | "voice_callback_url"
  | "voice_fallback_url"
  | "metadata"
  | "client_reference"

/** What is said of a call by whoever begins it. */
export type OwnFacts = Omit<CallFacts, FactsOfOrigin | Defaulted> & Partial<Pick<CallFacts, Defaulted>>

const factsOfOrigin = ({ number, workspace }: CallOrigin) => ({
  workspace_id: workspace.id,
  tenant_pbx_id: workspace.tenant_pbx_id,
  gateway_id: workspace.gateway_id,
  number_id: number?.id ?? null,
  currency: workspace.currency
})

export const newFacts = (
  origin: CallOrigin,
  {
    client_reference = null,
    max_duration_seconds = longestCall_seconds,
    metadata = {},
    parent_call_id = null,
    parent_session_id = null,
    voice_callback_url = null,
    voice_fallback_url = null,
    ...own
  }: OwnFacts
): CallFacts => ({
  session_id: origin.session_id,
  ...factsOfOrigin(origin),
  parent_call_id,
  parent_session_id,
  ...own,
  created_at: origin.created_at,
  max_duration_seconds,
  voice_callback_url,
  voice_fallback_url,
  metadata,
  client_reference,
  ...(origin.capabilities && { capabilities: origin.capabilities })
})
