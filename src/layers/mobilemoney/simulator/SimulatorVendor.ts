// The simulator as a vendor. It has no settings and no routes.
import { vendor } from "../Vendor.ts"
import * as MobileMoneySimulator from "./MobileMoneySimulator.ts"

export const simulator = vendor({ variables: {}, required: [], layer: () => MobileMoneySimulator.layer })
