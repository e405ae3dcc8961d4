import type { LiveServerMessage } from "@countersign/gateway/trusted-contract";
import type { ViewInput } from "@countersign/plugin";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { type Frame, pagePoint, readFrame } from "./frames.ts";
import { isEscapeHatch, keyInput } from "./keys.ts";

const BUTTONS = ["left", "middle", "right"] as const;
const MOVE_EVERY_MS = 33;
const PAGE_WIDTH_MIN = 360;
const PAGE_WIDTH_MAX = 1280;

/** The destination's own page, streamed: pictures come in, input goes out, and nothing of it is kept. */
export function LiveView({ continuationRef }: { readonly continuationRef: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const socket = useRef<WebSocket>(undefined);
  const size = useRef({ width: 1, height: 1 });
  const [place, setPlace] = useState<Extract<LiveServerMessage, { type: "location" }>>();
  const [dialog, setDialog] = useState<Extract<LiveServerMessage, { type: "dialog" }>>();
  const [notice, setNotice] = useState<string>();
  const [lost, setLost] = useState(false);

  const say = (input: ViewInput) => {
    if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify(input));
  };

  useEffect(() => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const live = new WebSocket(`${scheme}://${location.host}/trusted/v1/continuations/${continuationRef}/live`);
    live.binaryType = "arraybuffer";
    socket.current = live;
    live.onopen = () => {
      const width = Math.min(
        Math.max(canvas.current?.parentElement?.clientWidth ?? PAGE_WIDTH_MAX, PAGE_WIDTH_MIN),
        PAGE_WIDTH_MAX,
      );
      const height = Math.round(width < 600 ? width * 1.6 : width * 0.7);
      live.send(JSON.stringify({ type: "resize", width, height } satisfies ViewInput));
      canvas.current?.focus();
    };
    live.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data !== "string") {
        const frame = readFrame(event.data);
        if (frame !== undefined)
          void draw(frame, canvas.current, size).finally(() =>
            live.send(JSON.stringify({ type: "ack", id: frame.id })),
          );
        return;
      }
      const message = JSON.parse(event.data) as LiveServerMessage;
      if (message.type === "location") setPlace(message);
      else if (message.type === "dialog") setDialog(message);
      else if (message.type === "notice") setNotice(message.text);
      else setLost(true);
    };
    live.onclose = () => setLost(true);
    return () => {
      live.onclose = null;
      live.close();
    };
  }, [continuationRef]);

  return (
    <div className="live">
      {place === undefined ? null : (
        <p className={place.trusted ? "address" : "address outside"} role="status">
          <code>{place.origin}</code>
          <span className="quiet">{place.path}</span>
        </p>
      )}
      {place?.trusted === false ? <Problem text={M.handoff.outside} /> : null}
      {notice === undefined ? null : <p role="status">{notice}</p>}
      {lost ? <Problem text={M.handoff.lost} /> : null}
      {dialog === undefined ? null : (
        <div className="dialog" role="alertdialog" aria-label={M.handoff.dialog}>
          <p>{dialog.text}</p>
          {(["accept", "dismiss"] as const).map((answer) => (
            <Button
              key={answer}
              className="button plain"
              onPress={() => {
                say({ type: "dialog", accept: answer === "accept" });
                setDialog(undefined);
              }}
            >
              {M.handoff[answer]}
            </Button>
          ))}
        </div>
      )}
      <Screen canvas={canvas} size={size} say={say} />
      <p className="quiet">{M.handoff.viewHelp}</p>
      <PasteBox say={say} />
      <Button className="button plain" onPress={() => say({ type: "back" })}>
        {M.handoff.back}
      </Button>
    </div>
  );
}

async function draw(
  frame: Frame,
  canvas: HTMLCanvasElement | null,
  size: { current: { width: number; height: number } },
): Promise<void> {
  if (canvas === null) return;
  const image = await createImageBitmap(frame.jpeg);
  size.current = { width: frame.width, height: frame.height };
  if (canvas.width !== image.width || canvas.height !== image.height) {
    canvas.width = image.width;
    canvas.height = image.height;
  }
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  canvas.dataset["frame"] = String(frame.id);
  image.close();
}

function Screen(props: {
  readonly canvas: React.RefObject<HTMLCanvasElement | null>;
  readonly size: React.RefObject<{ width: number; height: number }>;
  readonly say: (input: ViewInput) => void;
}) {
  const { canvas, size, say } = props;
  const movedAt = useRef(0);
  useEffect(() => {
    const screen = canvas.current;
    if (screen === null) return;
    // React listens for wheel passively; the page behind must not scroll with the remote one.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = pagePoint(event, screen.getBoundingClientRect(), size.current);
      say({ type: "mouse", action: "wheel", ...at, deltaX: event.deltaX, deltaY: event.deltaY });
    };
    screen.addEventListener("wheel", wheel, { passive: false });
    return () => screen.removeEventListener("wheel", wheel);
  });
  const mouse = (event: React.PointerEvent<HTMLCanvasElement>, action: "move" | "down" | "up") => {
    if (action === "move" && event.timeStamp - movedAt.current < MOVE_EVERY_MS) return;
    movedAt.current = event.timeStamp;
    const at = pagePoint(event, event.currentTarget.getBoundingClientRect(), size.current);
    const button = BUTTONS[event.button];
    say({ type: "mouse", action, ...at, ...(action === "move" || button === undefined ? {} : { button, clicks: 1 }) });
  };
  const key = (event: React.KeyboardEvent<HTMLCanvasElement>, action: "down" | "up") => {
    const { nativeEvent } = event;
    if (isEscapeHatch(nativeEvent)) {
      event.currentTarget.blur();
      return;
    }
    const input = keyInput(nativeEvent, action);
    if (input === undefined) return;
    event.preventDefault();
    say(input);
  };
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the picture is a whole application to drive
    <canvas
      ref={canvas}
      className="screen"
      tabIndex={0}
      role="application"
      aria-label={M.handoff.view}
      onPointerDown={(event) => {
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        mouse(event, "down");
      }}
      onPointerUp={(event) => mouse(event, "up")}
      onPointerMove={(event) => mouse(event, "move")}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => key(event, "down")}
      onKeyUp={(event) => key(event, "up")}
      onCompositionEnd={(event) => say({ type: "text", text: event.data })}
      onPaste={(event) => {
        event.preventDefault();
        say({ type: "text", text: event.clipboardData.getData("text/plain") });
      }}
    />
  );
}

/** For phones and for whom the keyboard does not reach: text goes into the field that has the focus over there. */
function PasteBox({ say }: { readonly say: (input: ViewInput) => void }) {
  const [text, setText] = useState("");
  return (
    <div className="field inline">
      <label htmlFor="paste">{M.handoff.pasteLabel}</label>
      <input
        id="paste"
        type="password"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        className="button plain"
        onPress={() => {
          if (text !== "") say({ type: "text", text });
          setText("");
        }}
      >
        {M.handoff.paste}
      </Button>
    </div>
  );
}
