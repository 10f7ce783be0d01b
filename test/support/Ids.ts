// Ids for tests: any text, with the brand that the code asks for.
import { toCallId, toWorkspaceId } from "../../src/domain/BrandedIds.ts"

export const workspaceId = toWorkspaceId
export const callId = toCallId
