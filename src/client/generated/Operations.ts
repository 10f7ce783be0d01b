// Written by scripts/client/ClientTypes.ts from the contract. Do not edit.
import type { Pages } from "../Pages.ts"
import type { Result } from "../Result.ts"
import type { EventStream, StreamOptions } from "../EventStream.ts"
import type { ReadOptions, WriteOptions } from "../Options.ts"
import type {
  AcceptInvitationRequest,
  AcceptedInvitation,
  AdjustmentRequest,
  ApiKey,
  ApiKeyRequest,
  AssignedGateway,
  AuditEntry,
  AuditVerdict,
  AutoTopUp,
  AutoTopUpRequest,
  AvailableNumber,
  BringNumberRequest,
  CallEvent,
  CallRecord,
  CallStats,
  CallStreamEvent,
  CallTimeline,
  CallWithEvents,
  CallingPolicy,
  CallingPolicyChange,
  ChangedStorage,
  ChargeProof,
  ChatAppCallSettings,
  ChatAppCallSettingsRequest,
  ChatAppCallSettingsShown,
  ChatAppTrunk,
  Conference,
  ConferenceAnnouncement,
  ConferenceParticipant,
  ConferenceParticipantChange,
  ConferenceParticipantRequest,
  CreatedWebhookSubscription,
  CurrentApiKey,
  DestinationCheck,
  EmailRequest,
  Gateway,
  GatewayAssignment,
  GenerateNumbersRequest,
  GeneratedNumbers,
  Hold,
  Invitation,
  InvitationRequest,
  Invoice,
  InvoiceSummary,
  JsonWebKeySet,
  LinkSent,
  LinkedRecording,
  ListedWebhookDelivery,
  Member,
  MemberPatch,
  MintedApiKey,
  NumberRoutingChange,
  NumberRoutingView,
  OriginateRequest,
  PayInReference,
  PhoneNumber,
  PolicyCeilings,
  Provider,
  ProviderPatch,
  ProviderRequest,
  Rate,
  RatesChanged,
  RatesRequest,
  ReassignNumberRequest,
  Receipt,
  Recording,
  ReleaseRequest,
  RetiredSeries,
  ReversalRequest,
  RotatedVoiceSecret,
  RotatedWebhookSecret,
  SandboxCredit,
  SandboxCreditRequest,
  SandboxPayInRequest,
  Series,
  SeriesPriceRecord,
  SeriesPrices,
  SeriesPricesRequest,
  SeriesRequest,
  Session,
  SessionPatch,
  SessionRow,
  SimulatedCall,
  SimulationRequest,
  SipCredential,
  SipCredentialRequest,
  SipCredentialRotateRequest,
  SipCredentialWithPassword,
  SipTrunk,
  SipTrunkRejectRequest,
  SipTrunkRequest,
  StatementEntry,
  StatementKind,
  Storage,
  StoragePrices,
  StoragePricesRequest,
  StorageTierAssignment,
  StorageTierRequest,
  SuspendRequest,
  SuspendedPayment,
  TerminateRequest,
  TerminatedCall,
  TokenRequest,
  TopUp,
  TopUpLimits,
  TopUpLimitsRequest,
  TopUpRequest,
  TopUpStatus,
  UpdateCallRequest,
  User,
  VoiceActionsVerdict,
  WalletBalance,
  WalletPatch,
  WebhookDelivery,
  WebhookDeliveryWithBody,
  WebhookDiagnosis,
  WebhookReplay,
  WebhookReplayRequest,
  WebhookRotateSecretRequest,
  WebhookSubscription,
  WebhookSubscriptionPatch,
  WebhookSubscriptionRequest,
  WebhookTest,
  WebhookTestRequest,
  WebrtcSession,
  WebrtcTokenRequest,
  Workspace,
  WorkspacePatch,
  WorkspaceRequest,
  WorkspaceStreamEvent
} from "./Types.ts"

export interface Operations {
  readonly calls: {
    /** Place a call */
    originate(body: OriginateRequest, options?: WriteOptions): Result<CallRecord>
    /** List calls */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "ringing" | "answered" | "completed" | "no_answer" | "busy" | "failed" | "canceled"; readonly direction?: "outbound" | "inbound"; readonly from?: string; readonly to?: string; readonly number_id?: string; readonly client_reference?: string; readonly created_after?: string; readonly created_before?: string }, options?: ReadOptions): Pages<CallRecord>
    /** Check whether a destination can be called */
    checkDestination(query: { readonly from: string; readonly to: string }, options?: ReadOptions): Result<DestinationCheck>
    /** Read a call */
    get(id: string, query?: { readonly transcript?: "0" | "1" }, options?: ReadOptions): Result<CallWithEvents>
    /** List a call's events */
    events(id: string, query?: { readonly limit?: number | string; readonly cursor?: string; readonly transcript?: "0" | "1" }, options?: ReadOptions): Pages<CallEvent>
    /** Follow a call live */
    stream(id: string, options?: StreamOptions): EventStream<CallStreamEvent>
    /** End a call */
    terminate(id: string, body?: TerminateRequest | null, options?: WriteOptions): Result<TerminatedCall>
    /** Change an answered call */
    update(id: string, body: UpdateCallRequest, options?: WriteOptions): Result<CallRecord>
    /** Sum up calls */
    stats(query?: { readonly from?: string; readonly to?: string; readonly group_by?: "day" | "number" | "country" | "status" | "direction"; readonly number_id?: string }, options?: ReadOptions): Result<CallStats>
    /** Show how a call was charged */
    charge(id: string, options?: ReadOptions): Result<ChargeProof>
    /** Show what happened to a call */
    timeline(id: string, query?: { readonly at?: string }, options?: ReadOptions): Result<CallTimeline>
  }
  readonly chatapp: {
    /** Read the chat-app call settings */
    settings(id: string, options?: ReadOptions): Result<ChatAppCallSettingsShown>
    /** Write the chat-app call settings */
    write(id: string, body: ChatAppCallSettingsRequest, options?: WriteOptions): Result<ChatAppCallSettings>
    /** Read the chat-app trunk */
    trunk(id: string, options?: ReadOptions): Result<ChatAppTrunk>
    /** Provision the chat-app trunk */
    provision(id: string, options?: WriteOptions): Result<ChatAppTrunk>
    /** Retry the chat-app trunk */
    retry(id: string, options?: WriteOptions): Result<ChatAppTrunk>
  }
  readonly events: {
    /** Follow a workspace live */
    stream(query?: { readonly kinds?: string; readonly since?: string }, options?: StreamOptions): EventStream<WorkspaceStreamEvent>
  }
  readonly wallet: {
    /** Read the balance */
    balance(options?: ReadOptions): Result<WalletBalance>
    /** Set the low-balance threshold */
    update(body: WalletPatch, options?: WriteOptions): Result<WalletBalance>
    /** List ledger entries */
    statements(query?: { readonly limit?: number | string; readonly cursor?: string; readonly kind?: StatementKind; readonly from?: string; readonly to?: string }, options?: ReadOptions): Pages<StatementEntry>
    /** List open holds */
    holds(query?: { readonly limit?: number | string; readonly cursor?: string }, options?: ReadOptions): Pages<Hold>
    /** Read the automatic top-ups */
    autoTopUp(options?: ReadOptions): Result<AutoTopUp>
    /** Set the automatic top-ups */
    setAutoTopUp(body: AutoTopUpRequest, options?: WriteOptions): Result<AutoTopUp>
    /** Remove the saved card */
    removeCard(options?: WriteOptions): Result<AutoTopUp>
  }
  readonly topups: {
    /** Start a top-up */
    create(body: TopUpRequest, options?: WriteOptions): Result<TopUp>
    /** List top-ups */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: TopUpStatus }, options?: ReadOptions): Pages<TopUp>
    /** Read a top-up */
    get(id: string, options?: ReadOptions): Result<TopUp>
    /** Read the reference for payments by hand */
    reference(options?: ReadOptions): Result<PayInReference>
  }
  readonly billing: {
    /** Read the receipt of a top-up */
    receipt(id: string, options?: ReadOptions): Result<Receipt>
    /** List invoices */
    list(query?: { readonly limit?: number | string; readonly cursor?: string }, options?: ReadOptions): Pages<InvoiceSummary>
    /** Read the invoice of a month */
    invoice(month: string, options?: ReadOptions): Result<Invoice>
  }
  readonly sandbox: {
    /** Credit the sandbox */
    credit(body: SandboxCreditRequest, options?: WriteOptions): Result<SandboxCredit>
    /** Pay into the sandbox by hand */
    payIn(body: SandboxPayInRequest, options?: WriteOptions): Result<TopUp>
  }
  readonly numbers: {
    /** Browse numbers */
    available(query?: { readonly limit?: number | string; readonly cursor?: string; readonly country?: string; readonly currency?: string; readonly type?: "mobile" | "local" | "national" | "toll_free"; readonly capability?: "voice" | "sms" | "webrtc"; readonly contains?: string }, options?: ReadOptions): Pages<AvailableNumber>
    /** List the workspace's numbers */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "active" | "past_due" | "suspended" | "released" | "retired"; readonly source?: "platform" | "byo"; readonly country?: string }, options?: ReadOptions): Pages<PhoneNumber>
    /** Bring a number */
    bring(body: BringNumberRequest, options?: WriteOptions): Result<PhoneNumber>
    /** Remove your own number */
    remove(id: string, options?: WriteOptions): Result<void>
    /** Read a number */
    get(id: string, options?: ReadOptions): Result<PhoneNumber>
    /** Claim a number */
    claim(id: string, options?: WriteOptions): Result<PhoneNumber>
    /** Release a number */
    release(id: string, options?: WriteOptions): Result<PhoneNumber>
    /** Read a routing */
    routing(id: string, options?: ReadOptions): Result<NumberRoutingView>
    /** Change a routing */
    route(id: string, body: NumberRoutingChange, options?: WriteOptions): Result<NumberRoutingView>
    /** Replace a routing */
    replaceRouting(id: string, body: NumberRoutingChange, options?: WriteOptions): Result<NumberRoutingView>
  }
  readonly webhooks: {
    /** Subscribe to events */
    create(body: WebhookSubscriptionRequest, options?: WriteOptions): Result<CreatedWebhookSubscription>
    /** List subscriptions */
    list(options?: ReadOptions): Pages<WebhookSubscription>
    /** Read a subscription */
    get(id: string, options?: ReadOptions): Result<WebhookSubscription>
    /** Change a subscription */
    update(id: string, body: WebhookSubscriptionPatch, options?: WriteOptions): Result<WebhookSubscription>
    /** Delete a subscription */
    delete(id: string, options?: WriteOptions): Result<void>
    /** Rotate the secret */
    rotateSecret(id: string, body?: WebhookRotateSecretRequest | null, options?: WriteOptions): Result<RotatedWebhookSecret>
    /** Rotate the secret of a number */
    rotateNumberSecret(id: string, body?: WebhookRotateSecretRequest | null, options?: WriteOptions): Result<RotatedWebhookSecret>
    /** Replay deliveries */
    replay(id: string, body: WebhookReplayRequest, options?: WriteOptions): Result<WebhookReplay>
    /** Send a test */
    test(id: string, body?: WebhookTestRequest | null, options?: WriteOptions): Result<WebhookTest>
    /** Examine a receiver */
    doctor(id: string, options?: WriteOptions): Result<WebhookDiagnosis>
    /** List deliveries */
    deliveries(id: string, query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "pending" | "in_flight" | "retrying" | "succeeded" | "dead_letter" | "blocked"; readonly event_kind?: string; readonly from?: string; readonly to?: string }, options?: ReadOptions): Pages<ListedWebhookDelivery>
    /** Read a delivery */
    delivery(id: string, delivery_id: string, options?: ReadOptions): Result<WebhookDeliveryWithBody>
    /** Retry a delivery */
    retryDelivery(id: string, delivery_id: string, options?: WriteOptions): Result<WebhookDelivery>
  }
  readonly workspace: {
    /** Read the workspace */
    get(options?: ReadOptions): Result<Workspace>
    /** Change the workspace */
    update(body: WorkspacePatch, options?: WriteOptions): Result<Workspace>
    /** Rotate the voice secret */
    rotateVoiceSecret(body?: WebhookRotateSecretRequest | null, options?: WriteOptions): Result<RotatedVoiceSecret>
    /** Close the workspace */
    close(options?: WriteOptions): Result<Workspace>
    /** Read the calling policy */
    callingPolicy(options?: ReadOptions): Result<CallingPolicy>
    /** Change the calling policy */
    changeCallingPolicy(body: CallingPolicyChange, options?: WriteOptions): Result<CallingPolicy>
  }
  readonly accounts: {
    /** Create a workspace */
    onboard(body: WorkspaceRequest, options?: WriteOptions): Result<Workspace>
    /** Accept an invitation */
    accept(body?: AcceptInvitationRequest | null, options?: WriteOptions): Result<AcceptedInvitation>
  }
  readonly voiceActions: {
    /** Read the schema of voice actions */
    schema(options?: ReadOptions): Result<{ readonly [name: string]: unknown }>
    /** Check a document of voice actions */
    validate(body: unknown, options?: WriteOptions): Result<VoiceActionsVerdict>
    /** Try a call without placing it */
    simulate(body: SimulationRequest, options?: WriteOptions): Result<SimulatedCall>
  }
  readonly adminNumbers: {
    /** Create a series */
    createSeries(body: SeriesRequest, options?: WriteOptions): Result<Series>
    /** List series */
    listSeries(query?: { readonly limit?: number | string; readonly cursor?: string; readonly country?: string; readonly status?: "active" | "inactive" | "retired"; readonly provider_id?: string }, options?: ReadOptions): Pages<Series>
    /** Generate numbers */
    generate(id: string, body?: GenerateNumbersRequest | null, options?: WriteOptions): Result<GeneratedNumbers>
    /** Retire a series */
    retireSeries(id: string, options?: WriteOptions): Result<RetiredSeries>
    /** Set prices of series */
    setPrices(body: SeriesPricesRequest, options?: WriteOptions): Result<SeriesPrices>
    /** List prices of series */
    listPrices(query?: { readonly series_id?: string; readonly currency?: "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN" }, options?: ReadOptions): Pages<SeriesPriceRecord>
    /** Reassign a number */
    reassign(id: string, body: ReassignNumberRequest, options?: WriteOptions): Result<PhoneNumber>
    /** Retire a number */
    retireNumber(id: string, options?: WriteOptions): Result<PhoneNumber>
  }
  readonly adminProviders: {
    /** Create a provider */
    create(body: ProviderRequest, options?: WriteOptions): Result<Provider>
    /** List providers */
    list(options?: ReadOptions): Pages<Provider>
    /** Read a provider */
    get(id: string, options?: ReadOptions): Result<Provider>
    /** Change a provider */
    update(id: string, body: ProviderPatch, options?: WriteOptions): Result<Provider>
    /** Retire a provider */
    remove(id: string, options?: WriteOptions): Result<void>
  }
  readonly adminRates: {
    /** Set rates */
    upsert(body: RatesRequest, options?: WriteOptions): Result<RatesChanged>
    /** List rates */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly currency?: string; readonly direction?: string; readonly prefix?: string }, options?: ReadOptions): Pages<Rate>
  }
  readonly sipCredentials: {
    /** Create a SIP credential */
    create(id: string, body: SipCredentialRequest, options?: WriteOptions): Result<SipCredentialWithPassword>
    /** List the SIP credentials of a number */
    list(id: string, options?: ReadOptions): Pages<SipCredential>
    /** Give a SIP credential a new password */
    rotate(id: string, credential_id: string, body?: SipCredentialRotateRequest | null, options?: WriteOptions): Result<SipCredentialWithPassword>
    /** Revoke a SIP credential */
    revoke(id: string, credential_id: string, options?: WriteOptions): Result<SipCredential>
    /** Revoke a SIP credential */
    delete(id: string, credential_id: string, options?: WriteOptions): Result<SipCredential>
  }
  readonly recordings: {
    /** List recordings */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "in_progress" | "processing" | "available" | "failed" | "expired" | "deleted"; readonly call_id?: string; readonly created_after?: string; readonly created_before?: string }, options?: ReadOptions): Pages<Recording>
    /** Read a call's recording */
    get(id: string, query?: { readonly recording_id?: string }, options?: ReadOptions): Result<LinkedRecording>
    /** Delete a call's recording */
    delete(id: string, query?: { readonly recording_id?: string }, options?: WriteOptions): Result<void>
    /** Download a call's recording */
    download(id: string, query?: { readonly recording_id?: string }, options?: ReadOptions): Result<Response>
  }
  readonly sipTrunk: {
    /** Connect your SIP trunk */
    create(body: SipTrunkRequest, options?: WriteOptions): Result<SipTrunk>
    /** Read the SIP trunk */
    get(options?: ReadOptions): Result<SipTrunk>
    /** Change the SIP trunk */
    put(body: SipTrunkRequest, options?: WriteOptions): Result<SipTrunk>
    /** Disconnect the SIP trunk */
    delete(options?: WriteOptions): Result<void>
  }
  readonly webrtc: {
    /** Let a browser call */
    token(body?: WebrtcTokenRequest | null, options?: WriteOptions): Result<WebrtcSession>
  }
  readonly adminTrunks: {
    /** Approve a peering trunk */
    approve(id: string, options?: WriteOptions): Result<SipTrunk>
    /** Reject a peering trunk */
    reject(id: string, body?: SipTrunkRejectRequest | null, options?: WriteOptions): Result<SipTrunk>
  }
  readonly conferences: {
    /** List conferences */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "waiting" | "in_progress" | "ended"; readonly name?: string }, options?: ReadOptions): Pages<Conference>
    /** Read a conference */
    get(id: string, options?: ReadOptions): Result<Conference>
    /** Call somebody into a conference */
    dialIn(id: string, body: ConferenceParticipantRequest, options?: WriteOptions): Result<CallRecord>
    /** Change a participant */
    change(id: string, call_id: string, body: ConferenceParticipantChange, options?: WriteOptions): Result<ConferenceParticipant>
    /** Remove a participant */
    remove(id: string, call_id: string, options?: WriteOptions): Result<void>
    /** Announce something */
    announce(id: string, body: ConferenceAnnouncement, options?: WriteOptions): Result<void>
    /** End a conference */
    end(id: string, options?: WriteOptions): Result<Conference>
  }
  readonly storage: {
    /** Read the storage */
    get(options?: ReadOptions): Result<Storage>
    /** Change the storage size */
    change(body: StorageTierRequest, options?: WriteOptions): Result<ChangedStorage>
    /** Return to the free size */
    drop(options?: WriteOptions): Result<ChangedStorage>
  }
  readonly adminStorage: {
    /** Set storage prices */
    setPrices(body: StoragePricesRequest, options?: WriteOptions): Result<StoragePrices>
    /** List storage prices */
    listPrices(options?: ReadOptions): Result<StoragePrices>
    /** Assign a storage size to a workspace */
    assign(id: string, body: StorageTierAssignment, options?: WriteOptions): Result<ChangedStorage>
  }
  readonly keys: {
    /** Create an API key */
    create(body: ApiKeyRequest, options?: WriteOptions): Result<MintedApiKey>
    /** List API keys */
    list(query?: { readonly limit?: number | string; readonly cursor?: string }, options?: ReadOptions): Pages<ApiKey>
    /** Read an API key */
    get(id: string, options?: ReadOptions): Result<ApiKey>
    /** Revoke an API key */
    revoke(id: string, options?: WriteOptions): Result<ApiKey>
    /** Read the API key of this request */
    current(options?: ReadOptions): Result<CurrentApiKey>
  }
  readonly audit: {
    /** Read the audit log */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly action_kind?: string; readonly actor_id?: string; readonly target_id?: string; readonly from?: string; readonly to?: string }, options?: ReadOptions): Pages<AuditEntry>
    /** Verify the audit log */
    verify(options?: ReadOptions): Result<AuditVerdict>
  }
  readonly auth: {
    /** Sign up */
    signUp(body: EmailRequest, options?: WriteOptions): Result<User>
    /** Request a sign-in link */
    askForLink(body: EmailRequest, options?: WriteOptions): Result<LinkSent>
    /** Sign in */
    verify(body: TokenRequest, options?: WriteOptions): Result<Session>
    /** Sign out */
    logout(options?: WriteOptions): Result<void>
    /** Read your session */
    session(options?: ReadOptions): Result<Session>
    /** Switch to another workspace */
    enter(body: SessionPatch, options?: WriteOptions): Result<Session>
    /** List your sessions */
    sessions(options?: ReadOptions): Pages<SessionRow>
    /** End a session */
    endSession(id: string, options?: WriteOptions): Result<void>
    /** Unlink the identity provider */
    idpUnlink(options?: WriteOptions): Result<void>
  }
  readonly members: {
    /** List members */
    members(options?: ReadOptions): Pages<Member>
    /** Change a member */
    changeMember(user_id: string, body: MemberPatch, options?: WriteOptions): Result<Member>
    /** Remove a member, or leave */
    removeMember(user_id: string, options?: WriteOptions): Result<void>
    /** Invite a person */
    invite(body: InvitationRequest, options?: WriteOptions): Result<Invitation>
    /** List invitations */
    invitations(options?: ReadOptions): Pages<Invitation>
    /** Revoke an invitation */
    revoke(id: string, options?: WriteOptions): Result<void>
    /** Send an invitation again */
    resend(id: string, options?: WriteOptions): Result<Invitation>
  }
  readonly adminWorkspaces: {
    /** List workspaces */
    list(query?: { readonly limit?: number | string; readonly cursor?: string; readonly status?: "onboarding" | "active" | "suspended" | "closed"; readonly sandbox?: "true" | "false" }, options?: ReadOptions): Pages<Workspace>
    /** Suspend a workspace */
    suspend(id: string, body?: SuspendRequest | null, options?: WriteOptions): Result<Workspace>
    /** Reinstate a workspace */
    reinstate(id: string, options?: WriteOptions): Result<Workspace>
    /** Read the ceilings of a calling policy */
    ceilings(id: string, options?: ReadOptions): Result<PolicyCeilings>
    /** Change the ceilings of a calling policy */
    changeCeilings(id: string, body: PolicyCeilings, options?: WriteOptions): Result<PolicyCeilings>
  }
  readonly adminGateways: {
    /** List PBX gateways */
    list(options?: ReadOptions): Pages<Gateway>
    /** Assign a workspace to a gateway */
    assign(id: string, body: GatewayAssignment, options?: WriteOptions): Result<AssignedGateway>
  }
  readonly signingKeys: {
    /** Read the public signing keys */
    list(options?: ReadOptions): Result<JsonWebKeySet>
  }
  readonly adminWallets: {
    /** Adjust a wallet */
    adjust(workspace_id: string, body: AdjustmentRequest, options?: WriteOptions): Result<StatementEntry>
    /** Reverse a top-up */
    reverse(id: string, body: ReversalRequest, options?: WriteOptions): Result<TopUp>
    /** List payments in suspense */
    payIns(query?: { readonly limit?: number | string; readonly cursor?: string }, options?: ReadOptions): Pages<SuspendedPayment>
    /** Assign a payment in suspense to a workspace */
    release(receipt: string, body: ReleaseRequest, options?: WriteOptions): Result<TopUp>
    /** Set top-up limits */
    setLimits(body: TopUpLimitsRequest, options?: WriteOptions): Result<TopUpLimits>
    /** List top-up limits */
    listLimits(options?: ReadOptions): Result<TopUpLimits>
  }
}
