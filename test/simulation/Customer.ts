// The customer of a simulation: one workspace with one number, and the scripts of its callback.
import { toGatewayId, toNumberId, toWorkspaceId } from "../../src/domain/BrandedIds.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import type { DirectoryData } from "../../src/layers/memory/MemoryDirectory.ts"

export const workspace_id = toWorkspaceId("0199a000-0000-7000-8000-000000000001")
/** Another workspace, which claims the same numbers. */
export const rival_id = toWorkspaceId("0199a000-0000-7000-8000-000000000003")
export const gateway_id = toGatewayId("default")
export const tenant_pbx_id = "test"
export const own_number = "+254700000001"
export const callback_url = "https://example.com/next"
export const destinations = ["+254711000001", "+254711000002", "+254711000003", "+254711000004"] as const

const [, second, third] = destinations

/** What the callback answers. */
export const scripts: ReadonlyArray<ReadonlyArray<VoiceAction>> = [
  [{ say: { text: "Hello." } }],
  [],
  [{ dial: { number: second, timeout: 30 } }],
  [{ say: { text: "Hello." } }, { dial: { number: third, timeout: 10 } }, { say: { text: "Bye." } }],
  [{ dial: { numbers: destinations.slice(1) } }],
  [{ dial: { numbers: destinations.slice(1), sequential: true, timeout: 8 } }],
  [{ dial: { numbers: destinations.slice(2), first_answer_wins: false, timeout: 5 } }, { pause: { seconds: 1 } }],
  [{ gather: { num_digits: 4, action_url: callback_url, prompt: { say: { text: "Press." } } } }],
  [{ redirect: { url: callback_url } }],
  [{ pause: { seconds: 90 } }, { hangup: {} }]
]

export const directory: DirectoryData = {
  workspaces: [
    {
      id: workspace_id,
      name: "Test",
      status: "active",
      currency: "KES",
      tenant_pbx_id,
      gateway_id,
      voice_secret: "",
      calling_policy: {
        max_concurrent_calls: 1_000,
        calls_per_second: 1_000,
        max_calls_per_destination_per_hour: null
      },
      numbers: [
        {
          id: toNumberId("0199a000-0000-7000-8000-000000000002"),
          number: own_number,
          status: "active",
          source: "platform",
          country: "KE",
          outbound_per_min_minor: 300,
          inbound_per_min_minor: 100,
          routing: { voice_url: callback_url }
        }
      ]
    },
    {
      id: rival_id,
      name: "Rival",
      status: "active",
      currency: "KES",
      tenant_pbx_id: "rival",
      gateway_id,
      voice_secret: "",
      numbers: []
    }
  ],
  rates: [{ prefix: "254", per_min_minor: 300, class: "normal", currency: "KES" }]
}
