// Calls people the day before their appointment, and asks them to confirm it.
import { actions, dial, gather, hangup, type Question, say, voiceCallback, type VoiceActions } from "trunkline/actions"
import { ApiError, type Trunkline } from "trunkline/client"
import { webhookHandler } from "trunkline/webhooks"
import type { Appointment, Appointments } from "./Appointments.ts"

export interface RemindersOptions {
  readonly client: Trunkline
  readonly appointments: Appointments
  /** The number that we call from. */
  readonly from: string
  /** Who speaks with people that want another time. */
  readonly office: string
  /** Where the engine reaches us. */
  readonly publicUrl: string
  readonly voiceSecret: string
  readonly webhookSecret: string
  /** The time zone of our people, for example Africa/Nairobi. */
  readonly timeZone: string
  /** Epoch milliseconds. */
  readonly now?: () => number
}

const day_ms = 86_400_000
const pauseBetweenCalls_ms = 30 * 60_000
const mostCalls = 3
/** Nobody is called before 9:00 and from 19:00 on, where they are. */
const [earliestHour, latestHour] = [9, 19]

export class Reminders {
  private readonly options: Required<RemindersOptions>

  constructor(options: RemindersOptions) {
    this.options = { now: Date.now, ...options }
  }

  /** Adds an appointment, once for each id. It is called a day before. */
  add({ at, id, phone }: { readonly id: string; readonly phone: string; readonly at: Date }): void {
    this.options.appointments.add({ id, phone, at: at.getTime(), call_at: at.getTime() - day_ms })
  }

  /** Places the calls that are due. Run it every minute. */
  async callDue(): Promise<void> {
    const { appointments, now, timeZone } = this.options
    const hour = Number(new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone }).format(now()))
    if (hour < earliestHour || hour >= latestHour) return
    for (const appointment of appointments.due(now())) await this.call(appointment)
  }

  /** Voice callbacks at /voice, and webhooks. */
  readonly handle = (request: Request): Promise<Response> =>
    new URL(request.url).pathname === "/voice" ? this.answer(request) : this.take(request)

  private async call({ calls, id, phone }: Appointment): Promise<void> {
    const { appointments, client, from, publicUrl } = this.options
    try {
      await client.calls.originate(
        {
          from,
          to: phone,
          client_reference: id,
          voice_callback_url: `${publicUrl}/voice`,
          machine_detection: "detect_message_end"
        },
        // If this program dies before it has stored the call, the next attempt has the same key and finds that call.
        { idempotencyKey: `appointment-${id}-${calls}` }
      )
      appointments.called(id)
    } catch (error) {
      if (!(error instanceof ApiError)) return console.error(`${String(error)} The next minute tries again.`)
      console.error(`Appointment ${id} cannot be called: ${error.code}`)
      // Without money, or with too many calls at once, a later attempt can succeed.
      if (!error.retryable && error.status !== 402) appointments.set(id, "unreached")
    }
  }

  private answer(request: Request): Promise<Response> {
    const { now, publicUrl, voiceSecret } = this.options
    return voiceCallback({ secrets: voiceSecret, baseUrl: publicUrl, now }, (question) => this.actionsFor(question))(
      request
    )
  }

  private actionsFor(question: Question): VoiceActions {
    const { appointments, office, timeZone } = this.options
    const appointment = appointments.get(question.client_reference ?? "")
    if (appointment === undefined) return actions(hangup())
    const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone }).format(appointment.at)
    const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(appointment.at)
    const reminder = `You have an appointment with us on ${weekday} at ${time}.`
    if (question.reason === "gather_completed" && question.result.digits === "1") {
      appointments.set(appointment.id, "confirmed")
      return actions(say("Thank you. We look forward to seeing you."), hangup())
    }
    if (question.reason === "gather_completed" && question.result.digits === "2") {
      appointments.set(appointment.id, "moved")
      return actions(say("One moment, please."), dial(office, { timeout: 30 }), say("Please call us back."), hangup())
    }
    if (question.reason !== "answered" || question.answered_by === "machine") return actions(say(reminder), hangup())
    const prompt = say(`${reminder} To confirm, press 1. For another time, press 2.`)
    return actions(gather({ prompt, num_digits: 1, timeout: 8, action_url: "/voice" }))
  }

  private take(request: Request): Promise<Response> {
    const { now, webhookSecret } = this.options
    const again = (call: { readonly client_reference: string | null }) => this.callAgain(call.client_reference ?? "")
    return webhookHandler({
      secrets: webhookSecret,
      now,
      on: {
        "call.busy": again,
        "call.no_answer": again,
        "call.failed": again,
        "call.canceled": again,
        "call.completed": ({ client_reference }) =>
          this.options.appointments.ended(client_reference ?? "", "reminded", now())
      }
    })(request)
  }

  private callAgain(id: string): void {
    const { appointments, now } = this.options
    const appointment = appointments.get(id)
    if (appointment === undefined) return
    const status = appointment.calls < mostCalls ? "waiting" : "unreached"
    appointments.ended(id, status, now() + pauseBetweenCalls_ms)
  }
}
