// Calls, the money that they take, their recordings and conferences, and the gateways that carry them.
import { Layer } from "effect"
import { Calls } from "../calls/Calls.ts"
import { Legs } from "../calls/Legs.ts"
import * as PerformCall from "../calls/PerformCall.ts"
import * as ConferenceRoomsActor from "../conferences/ConferenceRoomsActor.ts"
import { Conferences } from "../conferences/Conferences.ts"
import * as PerformConference from "../conferences/PerformConference.ts"
import { InboundCalls } from "../ingest/InboundCalls.ts"
import { PbxIngest } from "../ingest/PbxIngest.ts"
import * as GatewayActor from "../pbx/GatewayActor.ts"
import { Gateways } from "../pbx/Gateways.ts"
import * as PerformRecording from "../recordings/PerformRecording.ts"
import { Recordings } from "../recordings/Recordings.ts"
import * as PerformStorage from "../storage/PerformStorage.ts"
import { StorageTiers } from "../storage/StorageTiers.ts"
import * as PerformWallet from "../wallet/PerformWallet.ts"
import { Wallets } from "../wallet/Wallets.ts"

export const callServices = Layer.merge(Legs.layer, Wallets.layer)

export const callActors = Layer.mergeAll(
  PerformCall.layer,
  PerformConference.layer,
  ConferenceRoomsActor.layer,
  PerformRecording.layer,
  PerformStorage.layer,
  PerformWallet.layer,
  GatewayActor.layer
)

/** How calls begin: a request, or an event of a PBX. */
export const callEntries = Layer.merge(Calls.layer, PbxIngest.layer.pipe(Layer.provideMerge(InboundCalls.layer)))

export const callFacades = Layer.mergeAll(
  Conferences.layer.pipe(Layer.provideMerge(callEntries)),
  Recordings.layer,
  StorageTiers.layer,
  Gateways.layer
)
