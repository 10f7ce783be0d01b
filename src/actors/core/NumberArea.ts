// Numbers, and what connects them: the chat app, trunks, SIP credentials and browsers.
import { Layer } from "effect"
import * as PerformCallerIds from "../callerids/PerformCallerIds.ts"
import { VerifiedCallerIds } from "../callerids/VerifiedCallerIds.ts"
import * as PerformChatApp from "../chatapp/PerformChatApp.ts"
import { ChatApps } from "../chatapp/ChatApps.ts"
import * as PermissionActor from "../chatapp/PermissionActor.ts"
import * as PerformCredentials from "../credentials/PerformCredentials.ts"
import { SipCredentials } from "../credentials/SipCredentials.ts"
import { ChatAppNotices } from "../ingest/ChatAppNotices.ts"
import { Numbers } from "../numbers/Numbers.ts"
import * as PerformNumber from "../numbers/PerformNumber.ts"
import * as PerformTrunk from "../trunks/PerformTrunk.ts"
import { SipTrunks } from "../trunks/SipTrunks.ts"
import { Webrtc } from "../webrtc/Webrtc.ts"

export const numberActors = Layer.mergeAll(
  PerformNumber.layer,
  PerformChatApp.layer,
  PermissionActor.layer,
  PerformCredentials.layer,
  PerformCallerIds.layer,
  PerformTrunk.layer
)

export const numberFacades = Layer.mergeAll(
  Numbers.layer,
  ChatApps.layer,
  ChatAppNotices.layer,
  SipCredentials.layer,
  VerifiedCallerIds.layer,
  SipTrunks.layer,
  Webrtc.layer
)
