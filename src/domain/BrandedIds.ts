// The kinds of ids that a caller could confuse, each with a brand of its own. A brand exists for the compiler alone:
// a schema here accepts every string, and a `to…` function returns what it is given. Use `to…` where a string enters
// that is known to be such an id: a new UUID, a row of SQL, a value of another system.
import { Brand, Schema } from "effect"

/**
 * A workspace, and its actors of kind Wallet, Workspace, Storage, SipCredentials, SipTrunk and CallerIds. A UUID; the
 * engine makes it.
 */
export const WorkspaceId = Schema.String.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type
export const toWorkspaceId = Brand.nominal<WorkspaceId>()

/** A call, that is one leg. A UUID; the engine makes it. */
export const CallId = Schema.String.pipe(Schema.brand("CallId"))
export type CallId = typeof CallId.Type
export const toCallId = Brand.nominal<CallId>()

/**
 * A session on a PBX, that is one leg there: `HD_…`. The engine derives it from the call's id (domain/pbx/Session.ts);
 * the PBX names an inbound session.
 */
export const SessionId = Schema.String.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type
export const toSessionId = Brand.nominal<SessionId>()

/** What addresses a call: its id, or the id of its session. `isSessionId` tells them apart. */
export type CallRef = CallId | SessionId

export const isSessionId = (ref: CallRef): ref is SessionId => ref.startsWith("HD_")

/** A phone number that a workspace may hold. A UUID. */
export const NumberId = Schema.String.pipe(Schema.brand("NumberId"))
export type NumberId = typeof NumberId.Type
export const toNumberId = Brand.nominal<NumberId>()

/** A number of somebody else that a workspace wants to show. A UUID; the engine makes it. */
export const CallerIdId = Schema.String.pipe(Schema.brand("CallerIdId"))
export type CallerIdId = typeof CallerIdId.Type
export const toCallerIdId = Brand.nominal<CallerIdId>()

/** A subscription to webhooks. A UUID; the engine makes it. */
export const SubscriptionId = Schema.String.pipe(Schema.brand("SubscriptionId"))
export type SubscriptionId = typeof SubscriptionId.Type
export const toSubscriptionId = Brand.nominal<SubscriptionId>()

/** A PBX gateway, as the settings name it. */
export const GatewayId = Schema.String.pipe(Schema.brand("GatewayId"))
export type GatewayId = typeof GatewayId.Type
export const toGatewayId = Brand.nominal<GatewayId>()

/** An API key, not its token. A UUID; the engine makes it. */
export const ApiKeyId = Schema.String.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type
export const toApiKeyId = Brand.nominal<ApiKeyId>()

/**
 * A top-up. A UUID. It is derived from the Idempotency-Key of the request, or from the receipt of a payment that came
 * in without a prompt; otherwise it is random.
 */
export const TopUpId = Schema.String.pipe(Schema.brand("TopUpId"))
export type TopUpId = typeof TopUpId.Type
export const toTopUpId = Brand.nominal<TopUpId>()

/** A recording. A UUID that follows from its call's id. */
export const RecordingId = Schema.String.pipe(Schema.brand("RecordingId"))
export type RecordingId = typeof RecordingId.Type
export const toRecordingId = Brand.nominal<RecordingId>()

/** A conference. A UUID; the engine makes it. */
export const ConferenceId = Schema.String.pipe(Schema.brand("ConferenceId"))
export type ConferenceId = typeof ConferenceId.Type
export const toConferenceId = Brand.nominal<ConferenceId>()

/** A SIP credential, not its user name. A UUID; the engine makes it. */
export const CredentialId = Schema.String.pipe(Schema.brand("CredentialId"))
export type CredentialId = typeof CredentialId.Type
export const toCredentialId = Brand.nominal<CredentialId>()

/** A SIP trunk of a workspace. A UUID; the engine makes it. */
export const TrunkId = Schema.String.pipe(Schema.brand("TrunkId"))
export type TrunkId = typeof TrunkId.Type
export const toTrunkId = Brand.nominal<TrunkId>()

/** A version of a SIP trunk, which is a trunk of its own on the PBX: the id of the trunk, a dot, and the version. */
export const PbxTrunkId = Schema.String.pipe(Schema.brand("PbxTrunkId"))
export type PbxTrunkId = typeof PbxTrunkId.Type
export const toPbxTrunkId = Brand.nominal<PbxTrunkId>()

/** A person who can sign in. A UUID; the engine makes it. */
export const UserId = Schema.String.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type
export const toUserId = Brand.nominal<UserId>()

/** Which id addresses which kind of actor. A kind that is not listed is addressed by any string. */
interface ActorIds {
  readonly ApiKey: ApiKeyId
  readonly Call: CallId
  readonly CallerIds: WorkspaceId
  readonly ChatApp: NumberId
  readonly Conference: ConferenceId
  readonly ConferenceRooms: WorkspaceId
  readonly Gateway: GatewayId
  readonly Number: NumberId
  readonly Recording: RecordingId
  readonly SipCredentials: WorkspaceId
  readonly SipTrunk: WorkspaceId
  readonly Storage: WorkspaceId
  readonly Subscription: SubscriptionId
  readonly TopUp: TopUpId
  readonly Wallet: WorkspaceId
  readonly Workspace: WorkspaceId
}

/** The id of an actor of a kind, by the name of the kind. */
export type ActorId<Kind extends string> = Kind extends keyof ActorIds ? ActorIds[Kind] : string
