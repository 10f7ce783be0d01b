// People and programs that use the API. A request with a key is made until it has an answer, always with the same key.
// One without a key is made once.
import { Effect, Exit } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { NumberAlreadyClaimed } from "../../src/domain/errors/NumberErrors.ts"
import { Numbers } from "../../src/actors/numbers/Numbers.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { StorageTiers } from "../../src/actors/storage/StorageTiers.ts"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { Webhooks } from "../../src/actors/webhooks/Webhooks.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { placedAnswer, terminatedAnswer, updatedAnswer } from "../../src/domain/calls/decide/KeptResponses.ts"
import { Failure, type FailureClass } from "../../src/domain/errors/Failure.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import type { IdempotentRequest } from "../../src/domain/idempotency/IdempotentRequest.ts"
import { callback_url, destinations, gateway_id, own_number, workspace_id } from "./Customer.ts"
import { storageSizes_gb } from "./Inventory.ts"
import type { Database } from "./Database.ts"
import type { EngineServices } from "./Engine.ts"
import type { Engines, LiveMember } from "./Engines.ts"
import type { Kernel } from "./Kernel.ts"
import type { Net } from "./Net.ts"
import { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { Faults } from "./Scenario.ts"
import { type NumberId, toCallId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { WorkspaceCommands } from "../../src/domain/workspace/WorkspaceCommand.ts"

export interface Answer {
  readonly status: number
  readonly body: string
}

type Serve = (request: IdempotentRequest | undefined) => Effect.Effect<Answer, unknown, EngineServices>

interface Request {
  readonly name: string
  /** Undefined: without a key. */
  readonly idempotent: IdempotentRequest | undefined
  readonly serve: Serve
  readonly done: (answer: Answer) => void
}

const triesMax = 60
const patience_ms = 15_000
const unavailable: Answer = { status: 503, body: "" }

const answerOf = (exit: Exit.Exit<Answer, unknown>): Answer => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  if (!(error instanceof Failure)) return unavailable
  const { code, status } = error.constructor as FailureClass
  return { status: status ?? 500, body: code }
}

export class Clients {
  readonly process: Process
  /** What each key was answered, as often as it was. */
  readonly answers = new Map<string, { readonly name: string; readonly answers: ReadonlyArray<Answer> }>()
  calls = 0
  faults: Faults
  private readonly kernel: Kernel
  private readonly net: Net
  private readonly engines: Engines
  private readonly database: Database
  private readonly wishes: Rng
  private readonly retries: Rng
  private readonly lost: Rng
  private requests = 0
  private credits = 0
  private topUps = 0

  constructor(kernel: Kernel, net: Net, engines: Engines, database: Database, faults: Faults) {
    this.kernel = kernel
    this.net = net
    this.engines = engines
    this.database = database
    this.faults = faults
    this.process = new Process(kernel, "people", 2048)
    this.wishes = new Rng(kernel.seed, "wishes")
    this.retries = new Rng(kernel.seed, "retries")
    this.lost = new Rng(kernel.seed, "answer_lost")
  }

  onboard(owner: WorkspaceId): void {
    this.request("onboard", () =>
      Effect.gen(function* () {
        const { ask } = yield* ActorSystem
        const facts = { name: "Test", currency: "KES", tenant_pbx_id: owner, gateway_id, voice_secret: "" } as const
        yield* ask(WorkspaceCommands.Onboard, owner, facts)
        return { status: 200, body: owner }
      })
    )
  }

  claim(owner: WorkspaceId, id: NumberId): void {
    const serve: Serve = (idempotency) =>
      Effect.map(
        Effect.flatMap(Numbers, ({ claim }) =>
          claim(owner, id, { origin: systemOrigin, ...(idempotency && { idempotency }) })
        ),
        (record) => ({ status: 201, body: JSON.stringify(record) })
      )
    if (this.wishes.chance(0.7)) this.request("claim", serve, () => {}, owner)
    else this.attempt({ name: "claim", idempotent: undefined, serve, done: () => {} }, triesMax)
  }

  changeStorage(): void {
    const size_gb = this.wishes.of(storageSizes_gb)
    const serve: Serve = () =>
      Effect.map(
        Effect.flatMap(StorageTiers, ({ change }) => change(workspace_id, size_gb, systemOrigin)),
        ({ tier_mb }) => ({ status: 200, body: String(tier_mb) })
      )
    this.attempt({ name: "storage", idempotent: undefined, serve, done: () => {} }, triesMax)
  }

  credit(amount_minor: number, owner: WorkspaceId = workspace_id): void {
    const entry_id = `00000000-0000-4000-9000-${(++this.credits).toString(16).padStart(12, "0")}`
    this.request("credit", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* wallets.open(owner, "KES")
        yield* wallets.credit(owner, {
          entry_id,
          kind: "manual_credit",
          amount_minor,
          reference_type: "adjustment",
          reference_id: entry_id,
          description: "",
          origin: systemOrigin
        })
        return { status: 200, body: entry_id }
      })
    )
  }

  subscribe(): void {
    this.request("webhooks", (idempotency) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const wish = { url: "https://example.com/hook", events: ["*"] }
        const { record } = yield* webhooks.create(workspace_id, wish, {
          origin: systemOrigin,
          ...(idempotency && { idempotency })
        })
        return { status: 200, body: record.id }
      })
    )
  }

  originate(): void {
    const { kernel, process, wishes } = this
    this.calls++
    const to = wishes.of(destinations)
    const max_duration_seconds = wishes.of([600, 60, 120])
    // A call that is placed late is over at once, unless it may ring for long.
    const timeout_seconds = wishes.of([20, 120])
    const ends_after_ms = wishes.chance(0.3) ? wishes.below(120_000) : undefined
    const changes_after_ms = wishes.chance(0.1) ? wishes.below(30_000) : undefined
    const hasKey = wishes.chance(0.6)
    const wish = { to, from: own_number, voice_callback_url: callback_url, timeout_seconds, max_duration_seconds }
    const serve: Serve = (idempotency) =>
      Effect.map(
        Effect.flatMap(Calls, (calls) => calls.originate(workspace_id, wish, idempotency)),
        placedAnswer
      )
    const placed = ({ body, status }: Answer) => {
      if (status !== 201) return
      const { id } = JSON.parse(body) as { readonly id: string }
      if (ends_after_ms !== undefined) kernel.after(process, ends_after_ms, () => this.terminate(id))
      if (changes_after_ms !== undefined) kernel.after(process, changes_after_ms, () => this.update(id))
    }
    if (hasKey) this.request("originate", serve, placed)
    else this.attempt({ name: "originate", idempotent: undefined, serve, done: placed }, triesMax)
  }

  /** Asks somebody to pay. */
  topUp(): void {
    const { wishes } = this
    const request = {
      provider: "mobilemoney" as const,
      amount_minor: 10_000 * (1 + this.topUps),
      currency: "KES" as const,
      phone_e164: `+2547000001${String(this.topUps++ % 3).padStart(2, "0")}`
    }
    const hasKey = wishes.chance(0.7)
    const serve: Serve = (idempotency) =>
      Effect.map(
        Effect.flatMap(TopUps, ({ start }) => start({ workspace_id, request, origin: systemOrigin, idempotency })),
        ({ topup_id }) => ({ status: 202, body: topup_id })
      )
    if (hasKey) this.request("topup", serve)
    else this.attempt({ name: "topup", idempotent: undefined, serve, done: () => {} }, triesMax)
  }

  private terminate(id: string): void {
    this.request("terminate", (idempotency) =>
      Effect.gen(function* () {
        const { termination, ...record } = yield* (yield* Calls).terminate(workspace_id, toCallId(id), {
          ...(idempotency && { idempotency })
        })
        return terminatedAnswer(record, termination)
      })
    )
  }

  private update(id: string): void {
    const change = { actions: [{ say: { text: "Changed." } }, { hangup: {} }] }
    this.request("update", (idempotency) =>
      Effect.map(
        Effect.flatMap(Calls, (calls) => calls.update(workspace_id, toCallId(id), change, idempotency)),
        updatedAnswer
      )
    )
  }

  private request(
    name: string,
    serve: Serve,
    done: (answer: Answer) => void = () => {},
    owner: WorkspaceId = workspace_id
  ): void {
    const key = `key-${++this.requests}`
    const idempotent = { workspace_id: owner, method: "POST", route: `/${name}`, key, fingerprint: key }
    this.attempt({ name, idempotent, serve, done }, 0)
  }

  private attempt(request: Request, tries: number): void {
    const { kernel, lost, process, retries } = this
    const again = () => {
      if (tries < triesMax) kernel.after(process, retries.tail(100, 5_000), () => this.attempt(request, tries + 1))
    }
    const member = this.engines.live
    if (member === undefined) return again()
    let isOpen = true
    const close = (answer: Answer | undefined) => {
      if (!isOpen) return
      isOpen = false
      kernel.cancel(timer)
      const isLost = answer !== undefined && lost.chance(this.faults.answer_lost)
      const { done, idempotent, name } = request
      const isBusy = answer?.status === 409 && answer.body !== NumberAlreadyClaimed.code
      if (answer === undefined || isLost || isBusy || answer.status >= 500) return again()
      // A new webhook shows its secret, which is stored sealed; the answer of a top-up is made when it is asked for.
      if (idempotent !== undefined && name !== "webhooks" && name !== "topup")
        this.answers.set(idempotent.key, {
          name,
          answers: [...(this.answers.get(idempotent.key)?.answers ?? []), answer]
        })
      kernel.note(`${name} ${idempotent?.key} ${answer.status} ${answer.body}`)
      done(answer)
    }
    const timer = kernel.after(process, patience_ms, () => close(undefined))
    this.net.call<Answer>(process, member.process, (reply) => this.serve(request, member, reply), close)
    // A client that is not sure asks elsewhere at once, while the first request may still be served.
    if (tries < triesMax && lost.chance(this.faults.answer_lost / 4))
      kernel.after(process, lost.tail(1, 2_000), () => this.attempt(request, tries + 1))
  }

  private serve(
    { idempotent, name, serve }: Request,
    { context, process }: LiveMember,
    reply: (answer: Answer) => void
  ) {
    if (name === "originate") this.engines.placing = process
    const served = idempotent === undefined ? serve(undefined) : this.serveOnce(idempotent, serve, process)
    const answered = Effect.map(Effect.exit(served), (exit) => {
      const { body, status } = answerOf(exit)
      reply({ body, status })
    })
    process.fork(Effect.provideContext(answered, context))
  }

  /** As IdempotentWrite does: a kept answer is given again, and so is one that a repeated command ran into. */
  private serveOnce(idempotent: IdempotentRequest, serve: Serve, process: Process) {
    const { database } = this
    const { key, method, route, workspace_id: owner } = idempotent
    const row = JSON.stringify([owner, method, route, key])
    const kept = database.query(
      process,
      () => database.tables.idempotency.get(row),
      new NotCommitted({ reason: "unavailable" })
    )
    return Effect.gen(function* () {
      const found = yield* kept
      if (found !== undefined) return found
      return yield* Effect.catch(serve(idempotent), (error) =>
        error instanceof NotCommitted && error.reason === "duplicate"
          ? Effect.flatMap(kept, (found) => (found === undefined ? Effect.fail(error) : Effect.succeed(found)))
          : Effect.fail(error)
      )
    })
  }
}
