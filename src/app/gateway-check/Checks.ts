// One check for each rule of docs/pbx-protocol.md that a gateway has to follow.
import { randomUUID } from "node:crypto"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { lastSeq } from "../../domain/pbx/Session.ts"
import type { EngineEnd } from "./EngineEnd.ts"
import { chatAppTrunk } from "./ChatAppChecks.ts"
import { limited, overdue, relimited, unknownKind } from "./LimitChecks.ts"
import { streamed, streamRefused } from "./StreamChecks.ts"
import { gathered, played, recorded, said, switched } from "./MediaChecks.ts"
import {
  acknowledged,
  type Check,
  hangUp,
  inOrder,
  must,
  named,
  newSession,
  originate,
  type Phones,
  sleep,
  talking,
  received
} from "./Talk.ts"
import { toCredentialId, toPbxTrunkId } from "../../domain/BrandedIds.ts"

export type { Check, Phones }

/** A person may have to start the gateway first. */
const hello_ms = 60_000

const hello: Check = {
  name: "connects with the secret, and sends hello first",
  run: async (end) => {
    await end.until("hello", () => end.hellos.length > 0, hello_ms)
  }
}

const answered: Check = {
  name: "rings a phone that answers, and reports each step in order",
  run: async (end, phones) => {
    const { id, session_id } = originate(end, phones, phones.answers)
    await acknowledged(end, id)
    await received(end, session_id, "leg.answered")
    const types = end.of(session_id).map(({ type }) => type)
    must(types[0] === "session.created", `the first event of a session is ${types[0]} and not session.created`)
    must(types.includes("leg.ringing") || types.includes("leg.early_media"), "no leg.ringing came before leg.answered")
    const [created] = end.of(session_id)
    must(
      created?.direction === "outbound" && created.to === phones.answers,
      "session.created lacks direction, from or to"
    )
    must(created?.data.attestation === undefined, "session.created has an attestation, which only inbound calls have")
    for (const { occurred_at } of end.of(session_id)) {
      must(
        Math.abs(Date.parse(occurred_at) - Date.now()) < 300_000,
        `occurred_at is ${occurred_at}: more than 5 min from this clock`
      )
    }
    const {
      data: { duration_ms, sip_code }
    } = await hangUp(end, session_id)
    must(
      sip_code !== undefined && duration_ms !== undefined && duration_ms >= 0,
      "leg.hangup lacks sip_code or duration_ms"
    )
    inOrder(end, session_id)
  }
}

const tenants: Check = {
  name: "carries out commands about a tenant, or refuses them",
  run: async (end) => {
    const answered = (id: string): Promise<unknown> =>
      end.until(
        `an acknowledgement or a refusal of ${id}`,
        () => end.acknowledged.includes(id) || end.refused.some(({ command_id }) => command_id === id)
      )
    const [credential_id, trunk_id, username] = [randomUUID(), randomUUID(), "gateway-check"]
    await answered(
      end.tenantCommand(credential_id, {
        kind: "registrar.put",
        credential_id: toCredentialId(credential_id),
        username,
        password: randomUUID(),
        extension: "1001",
        number: "+99900000000",
        max_contacts: 1
      })
    )
    await answered(
      end.tenantCommand(credential_id, {
        kind: "registrar.delete",
        credential_id: toCredentialId(credential_id),
        username
      })
    )
    await answered(
      end.tenantCommand(trunk_id, {
        kind: "trunk.put",
        trunk_id: toPbxTrunkId(trunk_id),
        target: {
          auth_mode: "ip",
          host: "sip.example.com",
          port: 5060,
          transport: "udp",
          allowed_ips: ["192.0.2.1"],
          max_channels: 1,
          max_cps: 1,
          codecs: ["PCMA"],
          dtmf: "rfc4733",
          srtp: "off",
          session_timer_seconds: 0,
          caller_id_format: "e164"
        }
      })
    )
    await answered(end.tenantCommand(trunk_id, { kind: "trunk.probe", trunk_id: toPbxTrunkId(trunk_id) }))
    await answered(end.tenantCommand(trunk_id, { kind: "trunk.delete", trunk_id: toPbxTrunkId(trunk_id) }))
  }
}

const once: Check = {
  name: "carries out a repeated command once, and acknowledges it each time",
  run: async (end, phones) => {
    const { id, session_id } = originate(end, phones, phones.answers)
    await received(end, session_id, "leg.answered")
    const before = end.acknowledged.filter((each) => each === id).length
    end.command(
      session_id,
      1,
      { kind: "originate", to: phones.answers, from: phones.from, caller_id: phones.from, timeout_seconds: 30 },
      id
    )
    await end.until(
      "the acknowledgement of a repeated command",
      () => end.acknowledged.filter((each) => each === id).length > before,
      5_000
    )
    await sleep(1_000)
    must(
      end.of(session_id).filter(({ type }) => type === "session.created").length === 1,
      "a repeated originate rang a second time"
    )
    await hangUp(end, session_id)
    const ended = end.of(session_id).length
    end.command(
      session_id,
      1,
      { kind: "originate", to: phones.answers, from: phones.from, caller_id: phones.from, timeout_seconds: 30 },
      id
    )
    await sleep(1_500)
    must(end.of(session_id).length === ended, "an originate that was repeated after the end of its session rang again")
  }
}

const busy: Check = {
  name: "reports a busy phone as 486, never as answered",
  run: async (end, phones) => {
    const { session_id } = originate(end, phones, phones.busy)
    const {
      data: { sip_code }
    } = await received(end, session_id, "leg.hangup")
    must(sip_code === 486, `leg.hangup of a busy phone has sip_code ${sip_code}`)
    must(named(end, session_id, "leg.answered") === undefined, "a busy phone was reported as answered")
    inOrder(end, session_id)
  }
}

const cancelled: Check = {
  name: "cancels a ringing phone",
  run: async (end, phones) => {
    const { session_id } = originate(end, phones, phones.silent)
    await received(end, session_id, "leg.ringing")
    const {
      data: { sip_code, source }
    } = await hangUp(end, session_id)
    must(
      sip_code === 487 && source === "platform",
      `leg.hangup of a cancelled phone has sip_code ${sip_code} and source ${source}`
    )
  }
}

const timedOut: Check = {
  name: "gives up an unanswered phone after timeout_seconds",
  run: async (end, phones) => {
    const { session_id } = originate(end, phones, phones.silent, 5)
    const asked_at = Date.now()
    const {
      data: { sip_code }
    } = await received(end, session_id, "leg.hangup", 9_000)
    must(Date.now() - asked_at > 4_000, "the phone was given up before its time")
    must(sip_code === 408, `leg.hangup of a phone that nobody answered has sip_code ${sip_code}`)
  }
}

const bridged: Check = {
  name: "connects two sessions, and disconnects them when one ends",
  run: async (end, phones) => {
    const [one, other] = await Promise.all([talking(end, phones), talking(end, phones)])
    end.command(one, 2, { kind: "bridge", peer_session_id: other })
    await Promise.all([received(end, one, "leg.bridged"), received(end, other, "leg.bridged")])
    await hangUp(end, one)
    await received(end, other, "leg.unbridged")
    await hangUp(end, other)
  }
}

const snapshots: Check = {
  name: "reports the state of a session, and that it does not have an unknown one",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    end.command(session_id, 2, { kind: "snapshot" })
    const live = await received(end, session_id, "session.snapshot")
    must(live.data.state === "answered", `the snapshot of an answered session says ${live.data.state}`)
    await hangUp(end, session_id)
    const never = newSession()
    const id = end.command(never, 1, { kind: "snapshot" })
    await acknowledged(end, id)
    const {
      data: { state },
      seq
    } = await received(end, never, "session.snapshot")
    must(
      state === "absent" && seq === lastSeq,
      `the snapshot of an unknown session says ${state} with seq ${seq}, not absent with ${lastSeq}`
    )
  }
}

const repeated: Check = {
  name: "repeats an event until it is acknowledged, with the same id",
  run: async (end, phones) => {
    const { session_id } = originate(end, phones, phones.busy)
    end.unanswered.add(session_id)
    const { event_id } = await received(end, session_id, "leg.hangup")
    const times = () => end.events.filter((event) => event.event_id === event_id).length
    await end.until("an unacknowledged event, again", () => times() > 1)
    end.unanswered.delete(session_id)
    await end.until("the same once more", () => times() > 2)
    await sleep(300)
    const settled = times()
    await sleep(3_500)
    must(times() === settled, "an acknowledged event was sent again")
    inOrder(end, session_id)
  }
}

const ping: Check = {
  name: "answers a ping",
  run: async (end) => {
    const n = 1 + Math.floor(Math.random() * 1_000_000)
    end.send({ type: "ping", n })
    await end.until(`pong ${n}`, () => end.pongs.includes(n), 5_000)
  }
}

const unknownFrame: Check = {
  name: "ignores unknown frames",
  run: async (end) => {
    const connections = end.hellos.length
    end.send({ type: "from_the_future" })
    end.send({ type: "refused", event_id: randomUUID(), code: "pbx.unknown_workspace", message: "of nobody" })
    await ping.run(end, { answers: "", busy: "", silent: "", from: "" })
    must(end.hellos.length === connections, "an unknown frame made the gateway connect anew")
  }
}

const reconnects: Check = {
  name: "comes back when the line breaks, with its sessions and what it still has to tell",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const connections = end.hellos.length
    const { session_id: untold } = originate(end, phones, phones.busy)
    end.unanswered.add(untold)
    const { event_id } = await received(end, untold, "leg.hangup")
    end.hangUp(1001)
    end.unanswered.clear()
    const { live_sessions } = await end.until("a new connection", () => end.hellos[connections], 15_000)
    must(
      live_sessions === undefined || live_sessions.includes(session_id),
      "live_sessions of the new hello lacks a live session"
    )
    await end.until(
      "an event of before, again",
      () => end.events.filter((event) => event.event_id === event_id).length > 1
    )
    end.command(session_id, 2, { kind: "snapshot" })
    must(
      (await received(end, session_id, "session.snapshot")).data.state === "answered",
      "the session did not outlive the line"
    )
    await hangUp(end, session_id)
  }
}

const staysAway: Check = {
  name: "stays away when another connection has taken its id over (4409)",
  run: async (end) => {
    const { attempts } = end
    end.hangUp(4409)
    await sleep(3_000)
    must(end.attempts === attempts, "it connected again after 4409")
  }
}

const heartbeat: Check = {
  name: "keeps sessions alive by heartbeats, every 30 s",
  run: async (end, phones) => {
    const session_id = await talking(end, phones)
    const names = (event: PbxEvent) =>
      event.type === "heartbeat" && event.data.live_sessions?.includes(session_id) === true
    await end.until("a heartbeat that names the session", () => end.events.some(names), 35_000)
    await hangUp(end, session_id)
    const beats = end.events.filter(names).length
    await sleep(31_000)
    must(end.events.filter(names).length === beats, "a heartbeat names a session that has ended")
  }
}

/** `together`: checks with separate sessions. `alone`: checks that change the connection, in this order. */
export interface Checks {
  readonly together: ReadonlyArray<Check>
  readonly alone: ReadonlyArray<Check>
}

/** `slow` includes the check that takes more than a minute, `recording` that of recordings. */
export const checks = (slow: boolean, recording = true): Checks => ({
  together: [
    ping,
    unknownFrame,
    answered,
    busy,
    cancelled,
    overdue,
    timedOut,
    said,
    played,
    gathered,
    switched,
    snapshots,
    tenants,
    once,
    bridged,
    ...(recording ? [recorded] : []),
    streamed,
    streamRefused,
    chatAppTrunk,
    repeated,
    limited,
    relimited,
    unknownKind,
    ...(slow ? [heartbeat] : [])
  ],
  alone: [reconnects, staysAway]
})

export interface Verdict {
  readonly name: string
  /** What is wrong; undefined if the check passed. */
  readonly fault: string | undefined
}

/** Runs all checks, even after a failure. Without a hello from the gateway it stops. */
export const judge = async (
  end: EngineEnd,
  phones: Phones,
  { alone, together }: Checks,
  onVerdict: (verdict: Verdict) => void = () => {}
): Promise<ReadonlyArray<Verdict>> => {
  const verdicts: Array<Verdict> = []
  const said = (verdict: Verdict): void => {
    verdicts.push(verdict)
    onVerdict(verdict)
  }
  const check = ({ name, run }: Check): Promise<void> =>
    run(end, phones).then(
      () => said({ name, fault: undefined }),
      (error: unknown) => said({ name, fault: error instanceof Error ? error.message : String(error) })
    )
  await check(hello)
  if (end.hellos.length > 0) {
    await Promise.all(together.map(check))
    for (const each of alone) await check(each)
  }
  said({ name: "sends only frames and events of the protocol", fault: end.faults[0] })
  return verdicts
}
