// A PBX gateway with as little as the protocol allows. See README.md.
import { Feed } from "./Feed.ts"
import { Sessions } from "./Sessions.ts"

const setting = (name: string, standard?: string): string => {
  const value = process.env[name] ?? standard
  if (value === undefined) throw new Error(`Set ${name}. See README.md.`)
  return value
}

const heartbeatInterval_ms = 30_000

const feed: Feed = new Feed({
  url: setting("FEED_URL", "ws://127.0.0.1:8080/v1/pbx/feed"),
  secret: setting("PBX_INGEST_SECRET"),
  gateway_id: setting("GATEWAY_ID", "default"),
  liveSessions: () => sessions.live,
  onCommand: (command) => {
    // Commands about a tenant (`registrar.put`, `trunk.put`) have no session: this gateway has nothing to set up.
    if (command.session_id !== undefined) sessions.carryOut(command)
  }
})
const sessions = new Sessions(
  (event) => {
    console.log(`${event.type} ${event.session_id ?? ""}`)
    feed.report(event)
  },
  (session_id) => feed.owesHangup(session_id)
)

setInterval(() => sessions.heartbeat(), heartbeatInterval_ms)
feed.connect()
