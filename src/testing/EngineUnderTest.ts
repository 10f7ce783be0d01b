// What a test can do with an engine.
import type { Attestation } from "../domain/pbx/Attestation.ts"
import type { App, DeliveryAttempt, WebhookEvent } from "./Application.ts"
import type { PbxFaults } from "./TestPbx.ts"
import type { Answering, TestPhone } from "./TestPhones.ts"
import type { RateOptions, WorkspaceOptions } from "./TestWorkspaces.ts"
import type { TestStream } from "./TestStreams.ts"
import type { Span } from "./Span.ts"

export interface TestEngineOptions {
  /** Your application. It gets every request that the engine sends, whatever its URL. */
  readonly app?: App
  /** Default: one workspace with a wallet of 10,000.00 KES and one number of Kenya. */
  readonly workspaces?: ReadonlyArray<WorkspaceOptions>
  /** Prices of a minute. Default: 300 everywhere. */
  readonly rates?: ReadonlyArray<RateOptions>
  /** Numbers that workspaces can claim, in E.164. Default: five of Kenya. */
  readonly inventory?: ReadonlyArray<string>
  /** What time it is at the start. Default: Monday, 2026-01-05, 08:00 UTC. */
  readonly start?: Date
  /** Decides the ids. The same seed gives the same run. Default: 1. */
  readonly seed?: number
  /** Where all webhooks go. Default: https://app.test/webhooks. */
  readonly webhook_url?: string
  /**
   * A number of one of the workspaces, which calls with the codes that prove caller ids. Default: no such calls, and
   * the code is 123456.
   */
  readonly code_calls_from?: string
}

export interface TestWallet {
  /** In minor units: 100 make 1.00. */
  readonly balance: () => number
  readonly held: () => number
  readonly credit: (amount_minor: number) => Promise<void>
}

export interface TestWebhooks {
  /** Signs the webhooks. */
  readonly secret: string
  /** The events that the application has taken (2xx), each once, in the order in which they came. */
  readonly received: (kind?: string) => ReadonlyArray<WebhookEvent>
  /** Every attempt to deliver, the failed ones too. */
  readonly attempts: (kind?: string) => ReadonlyArray<DeliveryAttempt>
  /** Moves time until the application takes one more event of this kind. */
  readonly next: (kind: string, options?: { readonly within?: Span }) => Promise<WebhookEvent>
}

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface TestWorkspace {
  readonly id: string
  readonly name: string
  /** A key with all scopes. */
  readonly apiKey: string
  /** Its first number. */
  readonly number: string
  readonly numbers: ReadonlyArray<string>
  /** Signs its voice callbacks. */
  readonly voiceSecret: string
  readonly wallet: TestWallet
  readonly webhooks: TestWebhooks
  /** Requests with this workspace's key. A body is sent as JSON. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<JsonAnswer>
}

export interface TestClock {
  readonly now: () => Date
  /** Moves time on, from timer to timer. What is due happens, and your application answers meanwhile. */
  readonly advance: (span: Span) => Promise<void>
  readonly advanceTo: (at: Date) => Promise<void>
  /** Moves time until the promise settles, at most by `max` (an hour). */
  readonly until: <A>(promise: Promise<A>, options?: { readonly max?: Span }) => Promise<A>
}

export interface TestFaults {
  readonly pbx: PbxFaults
  readonly database: {
    /** Nothing can be read or written. */
    readonly goesDown: () => void
    readonly comesBack: () => void
    /** The next write is lost. */
    readonly failsNextWrite: () => void
  }
  readonly process: {
    /** The engine dies at once. Requests get no response. What was stored stays. */
    readonly kill: () => Promise<void>
    readonly restart: () => Promise<void>
  }
  readonly app: {
    /** From now on your application does not answer. */
    readonly hangs: () => void
    /** From now on it answers this status, without being asked. */
    readonly answers: (status: number) => void
    readonly recovers: () => void
  }
}

export interface InboundCaller {
  /** How long the caller lets it ring. Default: a minute. */
  readonly patience?: Span
  /** When the caller hangs up after the answer. Default: never. */
  readonly talks?: Span
  /** Whether the call comes from the chat app. */
  readonly chatapp?: boolean
  /** What the network says of the caller's number (STIR/SHAKEN). Default: nothing. */
  readonly attestation?: Attestation
  /** The keys and the words with which the caller answers a `gather`, as those of a phone. */
  readonly presses?: Answering["presses"]
  readonly says?: string
}

export interface TestMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface EngineUnderTest extends TestWorkspace, AsyncDisposable {
  /** Gives the engine the application that it sends its requests to, in place of `app` of the options. */
  readonly connect: (app: App) => void
  /** As `fetch`. Every host leads to the engine, and a path alone does too. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  readonly clock: TestClock
  readonly faults: TestFaults
  /** The phone of a number. Without a script it answers after a second and talks for 30. */
  readonly phone: (number: string) => TestPhone
  /** Somebody calls a number of a workspace. Returns the id of the call on the PBX. */
  readonly dialIn: (from: string, to: string, caller?: InboundCaller) => string
  readonly workspace: (name: string) => TestWorkspace
  /** The media streams that were opened, in order. They carry no sound. */
  readonly streams: () => ReadonlyArray<TestStream>
  /** The messages that the engine has mailed to people, in order: sign-in links, invitations, alerts. */
  readonly mails: () => ReadonlyArray<TestMail>
  readonly stop: () => Promise<void>
}
