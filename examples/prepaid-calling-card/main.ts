// A prepaid calling card. See README.md.
import { Trunkline } from "trunkline/client"
import { serve, setting } from "../shared/Serve.ts"
import { CallingCard } from "./CallingCard.ts"
import { Cards } from "./Cards.ts"

const port = Number(setting("PORT", "9095"))
const publicUrl = setting("PUBLIC_URL", `http://127.0.0.1:${port}`)
const cards = new Cards(setting("DATABASE_FILE", "cards.sqlite"))
const [pin, balance_minor] = process.argv.slice(2)
if (pin !== undefined) cards.issue(pin, Number(balance_minor))

const card = new CallingCard({
  client: new Trunkline({
    baseUrl: setting("TRUNKLINE_URL", "http://127.0.0.1:8080"),
    apiKey: setting("TRUNKLINE_API_KEY")
  }),
  cards,
  publicUrl,
  voiceSecret: setting("VOICE_SECRET"),
  webhookSecret: setting("WEBHOOK_SECRET"),
  markup: Number(setting("MARKUP", "2"))
})

serve(port, card.handle, () => console.log(`The voice_url of the number is ${publicUrl}/voice`))
