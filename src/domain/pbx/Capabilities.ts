// What a gateway can do beyond the first version of the protocol. It says so in `hello` (docs/pbx-protocol.md). A name
// ends with the version of what it names.
import { Schema } from "effect"

/**
 * `stream.v1`: the audio of a session over a WebSocket of the customer. `conference.v1`: many sessions that hear each
 * other. `chatapp.v1`: calls over the trunk of a chat app's provider.
 */
export const Capability = Schema.Literals(["stream.v1", "conference.v1", "chatapp.v1"])
export type Capability = typeof Capability.Type

const isKnown = Schema.is(Capability)

/** The capabilities that this engine knows. A newer gateway may have more. */
export const knownCapabilities = (said: ReadonlyArray<string>): ReadonlyArray<Capability> => said.filter(isKnown)
