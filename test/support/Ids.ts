// Ids for tests: any text, with the brand that the code asks for.
import { toWorkspaceId } from "../../src/domain/BrandedIds.ts"

export const workspaceId = toWorkspaceId
