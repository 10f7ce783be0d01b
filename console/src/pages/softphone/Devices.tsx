// Which microphone and which speaker are used, and whether they work.
import { useEffect, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { Note } from "../../ui/States.tsx"
import { LevelMeter } from "./LevelMeter.tsx"
import type { Telephone } from "./Telephone.ts"

type Permission = "granted" | "denied" | "prompt"

/** Whether the page may use the microphone, as the browser says it. */
const usePermission = (): Permission => {
  const [state, setState] = useState<Permission>("prompt")
  useEffect(() => {
    let status: PermissionStatus | undefined
    const read = () => setState(status?.state ?? "prompt")
    void navigator.permissions
      .query({ name: "microphone" })
      .then((found) => {
        status = found
        found.addEventListener("change", read)
        read()
      })
      // Some browsers do not know this permission: they ask when it is used.
      .catch(() => {})
    return () => status?.removeEventListener("change", read)
  }, [])
  return state
}

/** The devices. Their names are known once the page may use the microphone. */
const useDevices = (permission: Permission) => {
  const [devices, setDevices] = useState<ReadonlyArray<MediaDeviceInfo>>([])
  useEffect(() => {
    const read = () => void navigator.mediaDevices.enumerateDevices().then(setDevices)
    read()
    navigator.mediaDevices.addEventListener("devicechange", read)
    return () => navigator.mediaDevices.removeEventListener("devicechange", read)
  }, [permission])
  return (kind: MediaDeviceKind) => devices.filter((device) => device.kind === kind && device.deviceId !== "")
}

const tracksOf = (stream: MediaStream | undefined) => stream?.getTracks() ?? []

/** The microphone, opened to be looked at. It is closed with the page. */
const useMicrophoneTest = (device: string) => {
  const [stream, setStream] = useState<MediaStream>()
  const [error, setError] = useState<string>()
  const open = useRef<MediaStream>(undefined)
  const stop = () => {
    for (const track of tracksOf(open.current)) track.stop()
    open.current = undefined
    setStream(undefined)
  }
  useEffect(() => () => tracksOf(open.current).forEach((track) => track.stop()), [])
  const start = async () => {
    stop()
    try {
      open.current = await navigator.mediaDevices.getUserMedia({
        audio: device === "" ? true : { deviceId: { exact: device } }
      })
      setError(undefined)
      setStream(open.current)
    } catch (cause) {
      setError(
        cause instanceof DOMException && cause.name === "NotFoundError"
          ? "No microphone was found. Connect one, and try again."
          : "The microphone could not be opened. Allow it for this site in the browser's settings, and close other programs that use it."
      )
    }
  }
  return { stream, error, start: () => void start(), stop }
}

/** A chord of one second, through the chosen speaker. */
const playTest = async (device: string): Promise<void> => {
  const context = new AudioContext()
  const sink = context as AudioContext & { readonly setSinkId?: (id: string) => Promise<void> }
  if (device !== "") await sink.setSinkId?.(device)
  const volume = new GainNode(context, { gain: 0.15 })
  volume.connect(context.destination)
  for (const frequency of [523, 659, 784]) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start()
    tone.stop(context.currentTime + 1)
  }
  setTimeout(() => void context.close(), 1_500)
}

const Choice = (props: {
  readonly label: string
  readonly devices: ReadonlyArray<MediaDeviceInfo>
  readonly value: string
  readonly onChange: (device: string) => void
}) => (
  <Field label={props.label}>
    <select value={props.value} onChange={({ target }) => props.onChange(target.value)}>
      <option value="">The system's choice</option>
      {props.devices
        .filter(({ deviceId }) => deviceId !== "default")
        .map(({ deviceId, label }, index) => (
          <option key={deviceId} value={deviceId}>
            {label === "" ? `${props.label} ${index + 1}` : label}
          </option>
        ))}
    </select>
  </Field>
)

export const Devices = ({ telephone }: { telephone: Telephone }) => {
  const permission = usePermission()
  const devices = useDevices(permission)
  const [input, setInput] = useState("")
  const [output, setOutput] = useState("")
  const test = useMicrophoneTest(input)
  return (
    <Card title="Devices">
      <div className="stack loose">
        {permission === "denied" && (
          <Note tone="bad">
            <p>
              <b>The browser does not let this page use the microphone.</b> Allow it in the browser's settings for this
              site: usually behind the icon beside the address.
            </p>
          </Note>
        )}
        <Choice
          label="Microphone"
          devices={devices("audioinput")}
          value={input}
          onChange={(device) => {
            setInput(device)
            test.stop()
            telephone.useInput(device)
          }}
        />
        {test.stream === undefined ? (
          <Button icon="microphone" onClick={test.start}>
            Test the microphone
          </Button>
        ) : (
          <>
            <LevelMeter label="Speak: the bar moves" stream={test.stream} />
            <Button onClick={test.stop}>End the test</Button>
          </>
        )}
        {test.error !== undefined && <Note tone="bad">{test.error}</Note>}
        <Choice
          label="Speaker"
          devices={devices("audiooutput")}
          value={output}
          onChange={(device) => {
            setOutput(device)
            telephone.useOutput(device)
          }}
        />
        <Button icon="play" onClick={() => void playTest(output)}>
          Test the speaker
        </Button>
      </div>
    </Card>
  )
}
