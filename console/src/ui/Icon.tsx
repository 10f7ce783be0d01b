// Line icons on a grid of 16. They are decoration: what they say is written beside them, or is the label of a button.
const paths = {
  overview: "M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5V7M13.5 13.5v-11",
  place:
    "M9.5 2.5h4v4M13.5 2.5 9 7M13.5 10.9v1.6c0 .6-.5 1-1 1A11 11 0 0 1 2.5 3.5c0-.6.4-1 1-1h1.6c.3 0 .6.2.6.5l.6 2.2c.1.3 0 .5-.2.7l-1 .9a8 8 0 0 0 4 4l.9-1c.2-.2.5-.3.7-.2l2.3.6c.3.1.5.3.5.7Z",
  calls: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  phone: "M4.5 1.8h7a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1ZM7 12h2",
  numbers: "M3 6h10.5M2.5 10H13M6.5 2.5 5 13.5M11 2.5 9.5 13.5",
  recording: "M2.5 8h.01M5 5.5v5M8 3v10M11 5.5v5M13.5 7.5v1",
  wallet: "M2.5 4.5h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-8a2 2 0 0 1 2-2h7v2M10.5 9h.01",
  webhook: "M2.5 8h8M7.2 4.5 10.7 8l-3.5 3.5M13.5 3v10",
  settings:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.9M8 12.3v1.9M1.8 8h1.9M12.3 8h1.9M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
  operators: "M6 2.5h4v3H6zM1.8 10.5h4v3h-4zM10.2 10.5h4v3h-4zM8 5.5V8M3.8 10.5V8h8.4v2.5",
  search: "M7.2 12a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6ZM13.5 13.5l-2.9-2.9",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  cross: "m4 4 8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  check: "m3 8.5 3.3 3L13 4.8",
  down: "m4.5 6.5 3.5 3.5 3.5-3.5",
  right: "m6.5 4.5 3.5 3.5-3.5 3.5",
  left: "M9.5 4.5 6 8l3.5 3.5",
  inward: "M13 3 3.5 12.5M3.5 6v6.5H10",
  outward: "M3 13 12.5 3.5M6 3.5h6.5V10",
  play: "M4.5 3v10l8-5-8-5Z",
  pause: "M5 3.5v9M11 3.5v9",
  microphone: "M8 9.5a2 2 0 0 0 2-2v-4a2 2 0 1 0-4 0v4a2 2 0 0 0 2 2ZM3.5 7.5a4.5 4.5 0 0 0 9 0M8 12v2",
  hangup:
    "M2 9.6c0-1 .6-1.6 1.3-2a11.5 11.5 0 0 1 9.4 0c.7.4 1.3 1 1.3 2v1c0 .4-.4.7-.8.6l-2.2-.4a.7.7 0 0 1-.6-.7V8.7a9 9 0 0 0-4.8 0v1.4c0 .3-.2.6-.6.7l-2.2.4a.7.7 0 0 1-.8-.6v-1Z",
  alert: "M8 2.2 14.3 13H1.7L8 2.2ZM8 6.5v3M8 11.3h.01",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5.2h.01",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5",
  lock: "M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2",
  offline:
    "M2 2l12 12M4.2 7.7a6 6 0 0 1 1.9-1.2M8 5.8c1.8 0 3.3.8 4.3 1.9M1.9 5.4c.7-.6 1.5-1.2 2.4-1.6M7 3.1a9 9 0 0 1 7.1 2.3M6 10.2a3 3 0 0 1 3.5-.3M8 12.5h.01",
  empty: "M2.5 9.5h3l1 2h3l1-2h3M4 3.5h8l1.5 6v3h-11v-3L4 3.5Z",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  retry: "M13 3v3.5H9.5M12.7 6.5A5.2 5.2 0 1 0 13 9",
  viewer:
    "M1.5 8S4 3.500 8 3.500 14.5 8 14.5 8 12 12.500 8 12.500 1.500 8 1.500 8ZM8 9.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z",
  callback: "M2.5 3h11v8H8l-3 2.5V11H2.5zM6.7 5.8c.2-.7.7-1 1.3-1 .8 0 1.4.5 1.4 1.2 0 .9-1.4 1-1.4 1.9M8 9.3h.01",
  coin: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM9.8 6.3c-.3-.6-1-.9-1.8-.9-1 0-1.8.4-1.8 1.3 0 1.8 3.7.8 3.7 2.6 0 .9-.9 1.3-1.9 1.3-.9 0-1.6-.3-1.9-1M8 4.5v7",
  key: "M5 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM7.500 8h6M11.500 8v2.500M13.500 8v1.500",
  server: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  members:
    "M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM1.500 13.500a4.500 4.500 0 0 1 9 0M11 3a2.500 2.500 0 0 1 0 4.500M12 9.500a4.500 4.500 0 0 1 2.500 4",
  exit: "M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6"
} as const

export type IconName = keyof typeof paths

export const Icon = ({
  className,
  name,
  size = 16
}: {
  name: IconName
  size?: number
  className?: string | undefined
}) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className={className}
  >
    <path d={paths[name]} />
  </svg>
)
