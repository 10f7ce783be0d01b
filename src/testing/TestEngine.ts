// An engine for the tests of an application: the same HTTP API, live streams, voice callbacks and webhooks as `npm
// start`, in the memory of the test, without a socket, on a clock that the test moves.
import { Effect, Redacted } from "effect"
import { Wallets } from "../actors/wallet/Wallets.ts"
import { Webhooks } from "../actors/webhooks/Webhooks.ts"
import { systemOrigin } from "../domain/access/Origin.ts"
import { Scope as KeyScope } from "../domain/access/Scope.ts"
import { toApiKeyId } from "../domain/BrandedIds.ts"
import { Keyring } from "../domain/ports/engine/Keyring.ts"
import { MemoryJournal } from "../layers/journal/MemoryJournal.ts"
import { contextOn } from "./EngineProcess.ts"
import type {
  EngineUnderTest,
  TestClock,
  TestEngineOptions,
  TestFaults,
  TestWallet,
  TestWebhooks,
  TestWorkspace
} from "./EngineUnderTest.ts"
import { Machine } from "./Machine.ts"
import type { Tenant } from "./TestWorkspaces.ts"
import { VirtualClock } from "../layers/clock/VirtualClock.ts"
import { spanMs } from "./Span.ts"

const defaultStart = new Date("2026-01-05T08:00:00Z")
const keyLifetime_ms = 365 * 86_400_000
const clockOf = (machine: Machine): TestClock => {
  const { clock } = machine
  return {
    now: () => new Date(clock.now),
    advance: (span) => machine.advanceTo(clock.now + spanMs(span)),
    advanceTo: (at) => machine.advanceTo(at.getTime()),
    until: async (promise, { max = "1 hour" } = {}) => {
      const state = { isSettled: false }
      const settle = () => void (state.isSettled = true)
      promise.then(settle, settle)
      const ends_at = clock.now + spanMs(max)
      await machine.settle()
      while (!state.isSettled) {
        const next = clock.nextAt
        if (next === undefined || next > ends_at)
          throw new Error(`The promise has not settled by ${new Date(ends_at).toISOString()} of the engine's time.`)
        await machine.advanceTo(next)
      }
      return promise
    }
  }
}

const webhooksOf = (machine: Machine, secret: string, subscription: ReadonlySet<string>): TestWebhooks => {
  const attempts = (kind?: string) =>
    machine.application.attempts.filter(
      ({ event }) =>
        (kind === undefined || event.event_kind === kind) && subscription.has(String(event["workspace_id"]))
    )
  const received = (kind?: string) => {
    const taken = attempts(kind).filter(({ status = 0 }) => status >= 200 && status < 300)
    return [...new Map(taken.map(({ delivery_id, event }) => [delivery_id, event])).values()]
  }
  return {
    secret,
    attempts,
    received,
    next: async (kind, { within = "1 hour" } = {}) => {
      const before = received(kind).length
      const { clock } = machine
      const ends_at = clock.now + spanMs(within)
      await machine.settle()
      while (true) {
        const event = received(kind)[before]
        if (event !== undefined) return event
        const next = clock.nextAt
        if (next === undefined || next > ends_at) throw new Error(`No webhook ${kind} came within ${within}.`)
        await machine.advanceTo(next)
      }
    }
  }
}

const walletOf = (machine: Machine, { id }: Tenant): TestWallet => {
  const column = (name: string) => Number(machine.journal.tables.snapshot("Wallet", id)?.columns[name] ?? 0)
  let credits = 0
  return {
    balance: () => column("balance_minor"),
    held: () => column("held_minor"),
    credit: async (amount_minor) => {
      const entry_id = `00000000-0000-4000-9000-${id.slice(-4)}${(++credits).toString(16).padStart(8, "0")}`
      const credited = Effect.flatMap(Wallets, (wallets) =>
        wallets.credit(id, {
          entry_id,
          kind: "manual_credit",
          amount_minor,
          reference_type: "adjustment",
          reference_id: entry_id,
          description: "Test money",
          origin: systemOrigin
        })
      )
      await machine.run(credited)
      await machine.settle()
    }
  }
}

const requestAs =
  (machine: Machine, apiKey: string): TestWorkspace["request"] =>
  async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { "content-type": "application/json" })
    }
    const response = await machine.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
  }

const workspaceOf = async (machine: Machine, tenant: Tenant, webhook_url: string): Promise<TestWorkspace> => {
  const { balance_minor, currency, id, name, numbers, voice_secret } = tenant
  const grant = {
    key_id: toApiKeyId(id.replace("-8000-", "-8002-")),
    workspace_id: id,
    scopes: KeyScope.literals,
    env: "live" as const,
    expires_at: machine.clock.now + keyLifetime_ms
  }
  const apiKey = Redacted.value(await machine.run(Effect.flatMap(Keyring, ({ mint }) => mint(grant))))
  const wallet = walletOf(machine, tenant)
  await machine.run(Effect.flatMap(Wallets, (wallets) => wallets.open(id, currency)))
  if (balance_minor > 0) await wallet.credit(balance_minor)
  const { secret } = await machine.run(
    Effect.flatMap(Webhooks, ({ create }) => create(id, { url: webhook_url, events: ["*"] }))
  )
  return {
    id,
    name,
    apiKey,
    numbers,
    number: numbers[0] ?? "",
    voiceSecret: voice_secret,
    wallet,
    webhooks: webhooksOf(machine, secret, new Set([id])),
    request: requestAs(machine, apiKey)
  }
}

const faultsOf = (machine: Machine): TestFaults => ({
  pbx: machine.pbx.faults,
  database: {
    goesDown: () => {
      machine.isDatabaseUp = false
      machine.journal.goDown()
    },
    comesBack: () => {
      machine.isDatabaseUp = true
      machine.journal.comeUp()
    },
    failsNextWrite: () => machine.journal.failNext()
  },
  process: {
    kill: () => machine.kill(),
    restart: async () => {
      if (machine.process === undefined) await machine.start()
    }
  },
  app: {
    hangs: () => void (machine.application.fault = "hangs"),
    answers: (status) => void (machine.application.fault = { status }),
    recovers: () => void (machine.application.fault = undefined)
  }
})

/** Starts an engine. Stop it at the end of the test, or declare it with `await using`. */
export const testEngine = async (options: TestEngineOptions = {}): Promise<EngineUnderTest> => {
  const { start = defaultStart, webhook_url = "https://app.test/webhooks" } = options
  const clock = new VirtualClock(start.getTime())
  const journal = await Effect.runPromiseWith(contextOn(clock))(MemoryJournal.make)
  const machine = new Machine(options, clock, journal)
  await machine.start()
  const workspaces = await Promise.all(machine.tenants.map((tenant) => workspaceOf(machine, tenant, webhook_url)))
  await machine.settle()
  const [first] = workspaces
  if (first === undefined) throw new Error("An engine for tests needs a workspace.")
  const stop = () => machine.kill()
  return {
    ...first,
    connect: (app) => machine.application.connect(app),
    fetch: (input, init) => machine.fetch(input, init),
    clock: clockOf(machine),
    faults: faultsOf(machine),
    phone: (number) => machine.phones.phone(number),
    dialIn: (from, to, { attestation, chatapp = false, patience, presses, says, talks } = {}) => {
      const tenant_pbx_id = machine.tenantOf(to)
      if (tenant_pbx_id === undefined) throw new Error(`No workspace of this engine has the number ${to}.`)
      return machine.pbx.switchboard.dialIn({
        tenant_pbx_id,
        from,
        to,
        ...(chatapp && { network: "chatapp" as const }),
        ...(attestation !== undefined && { attestation }),
        ...(patience !== undefined && { gives_up_after_ms: spanMs(patience) }),
        ...(talks !== undefined && { talks_ms: spanMs(talks) }),
        ...(presses !== undefined && { presses }),
        ...(says !== undefined && { says })
      })
    },
    workspace: (name) => {
      const found = workspaces.find((workspace) => workspace.name === name)
      if (found === undefined) throw new Error(`This engine has no workspace ${name}.`)
      return found
    },
    streams: () => machine.streams.all,
    mails: () => [...machine.mails],
    stop,
    [Symbol.asyncDispose]: stop
  }
}
