/** Line drawings on a grid of 24; they stand beside a word and never for one. */
const DRAWINGS = {
  inbox: "M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4L15 13h5",
  activity: "M3 12h4l3-7 4 14 3-7h4",
  receipt: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  grant: "M14.5 9.5a4 4 0 1 0-4 4l.8-.1L13 15h2v2h2v2h3v-3l-5.6-5.6zM9.5 9.5h.01",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-3.6 4.2-5 8-5s7 1.4 8 5",
  agent: "M6 9h12v9H6zM12 9V5M10 5h4M9.5 13v1M14.5 13v1M3 12v3M21 12v3",
  authority: "M12 3l8 3v6c0 4.5-3.3 7.6-8 9-4.7-1.4-8-4.5-8-9V6zM9 12l2 2 4-4",
  passkey: "M7 11V9a5 5 0 0 1 10 0v2M5 11h14v9H5zM12 14.500v2.5",
  mail: "M3 6h18v12H3zM3.5 6.500l8.5 7 8.5-7",
  practice: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  protocol: "M4 8h12l-3-3M20 16H8l3 3",
  more: "M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0z",
  wait: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  good: "M5 12.500l4.5 4.500L19 7.5",
  bad: "M6 6l12 12M18 6L6 18",
  warn: "M12 4L2.8 20h18.400zM12 10v4.500M12 17.300h.01",
  done: "M7 12h10",
  out: "M10 5H5v14h5M15 8l4 4-4 4M19 12H9",
  away: "M3 3l18 18M8.5 15.500a5 5 0 0 1 6-.7M5.5 12a9.5 9.5 0 0 1 4-2.300M14.5 9.700A9.5 9.5 0 0 1 18.5 12M12 19h.01",
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
