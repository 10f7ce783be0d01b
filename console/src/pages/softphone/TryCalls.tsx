// Numbers to try, where the network of simulated phones can be called.
import { useRead } from "../../api/Hooks.ts"
import type { DestinationCheck } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Phone } from "../../ui/Values.tsx"
import styles from "./Softphone.module.css"
import type { Telephone, TelephoneView } from "./Telephone.ts"

const phones: ReadonlyArray<readonly [number: string, does: string]> = [
  ["+99900000001", "rings, and speaks"],
  ["+99900000012", "echoes what you say"],
  ["+99900000027", "is busy, and calls you back"]
]

export const TryCalls = (props: {
  readonly from: string
  readonly telephone: Telephone
  readonly view: TelephoneView
}) => {
  const { from, telephone, view } = props
  const { data } = useRead<DestinationCheck>("/v1/calls/destination-check", {
    query: { from, to: phones[0]?.[0] }
  })
  if (data?.rated !== true) return null
  const ready = view.line === "registered" && view.call === "idle"
  return (
    <Card title="Try it with a simulated phone">
      <ul className={styles.phones}>
        {phones.map(([number, does]) => (
          <li key={number}>
            <div className="grow">
              <Phone number={number} />
              <p className="dim">{does}</p>
            </div>
            <Button
              small
              icon="place"
              disabled={!ready}
              aria-label={`Call ${number}`}
              onClick={() => telephone.call(number)}
            >
              Call
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
