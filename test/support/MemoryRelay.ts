// Relays of media streams, in memory.
import { type RelayOptions, type RelayPorts, StreamRelay } from "../../src/domain/streams/StreamRelay.ts"
import { type WorkspaceAllowances, workspaceAllowances } from "../../src/domain/streams/StreamBudget.ts"
import { faultOfActions } from "../../src/layers/streams/CheckActions.ts"

const identity: RelayOptions = {
  stream_id: "ST_1",
  call_id: "call",
  account_id: "workspace",
  name: "agent",
  mode: "duplex",
  format: "mulaw-8000",
  tracks: ["inbound"],
  parameters: {}
}

const ignored: Omit<RelayPorts, "now"> = {
  send: () => {},
  unsent: () => 0,
  read: () => {},
  play: () => {},
  mark: () => {},
  flush: () => {},
  said: () => {},
  actionsFault: () => faultOfActions,
  hangup: () => {},
  actions: () => {},
  end: () => {}
}

type TestPorts = Pick<RelayPorts, "now"> & Partial<RelayPorts>

/** `ports`: what the test wants to see of the relay. The rest is ignored. */
export const makeRelay = (
  ports: TestPorts,
  options: Partial<RelayOptions> = {},
  shared: WorkspaceAllowances = workspaceAllowances()
): StreamRelay => new StreamRelay({ ...identity, ...options }, { ...ignored, ...ports }, shared)

/** A relay whose application is connected and whose phone listens. */
export const openRelay = (...args: Parameters<typeof makeRelay>): StreamRelay => {
  const relay = makeRelay(...args)
  relay.opened(false)
  relay.joined()
  return relay
}
