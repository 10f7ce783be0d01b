// The simulator as a vendor. It has no settings and sends no notices.
import { Layer } from "effect"
import { CardNotices } from "../../../domain/ports/money/CardNotices.ts"
import * as CardSimulator from "../CardSimulator.ts"
import { vendor } from "../Vendor.ts"

export const simulator = vendor({
  variables: {},
  required: [],
  layer: () => Layer.merge(CardSimulator.layer, CardNotices.none)
})
