// Appointment reminders: a list of appointments over HTTP, and the calls. See README.md.
import { Trunkline } from "trunkline/client"
import { serve, setting } from "../shared/Serve.ts"
import { Appointments } from "./Appointments.ts"
import { Reminders } from "./Reminders.ts"

const port = Number(setting("PORT", "9093"))
const publicUrl = setting("PUBLIC_URL", `http://127.0.0.1:${port}`)
const appointments = new Appointments(setting("DATABASE_FILE", "appointments.sqlite"))
const reminders = new Reminders({
  client: new Trunkline({
    baseUrl: setting("TRUNKLINE_URL", "http://127.0.0.1:8080"),
    apiKey: setting("TRUNKLINE_API_KEY")
  }),
  appointments,
  from: setting("FROM"),
  office: setting("OFFICE", "+254711000001"),
  publicUrl,
  voiceSecret: setting("VOICE_SECRET"),
  webhookSecret: setting("WEBHOOK_SECRET"),
  timeZone: setting("TIME_ZONE", "Africa/Nairobi")
})

interface NewAppointment {
  readonly id: string
  readonly phone: string
  readonly at: string
}

const handle = async (request: Request): Promise<Response> => {
  if (new URL(request.url).pathname !== "/appointments") return reminders.handle(request)
  if (request.method === "POST") {
    const { at, id, phone } = (await request.json()) as NewAppointment
    reminders.add({ id, phone, at: new Date(at) })
    await reminders.callDue()
  }
  return Response.json(appointments.all())
}

setInterval(() => void reminders.callDue(), 60_000)
serve(port, handle, () => console.log(`Appointments are at ${publicUrl}/appointments`))
