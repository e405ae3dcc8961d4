import type { ViewInput } from "@countersign/plugin";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { M } from "../messages.ts";
import { pagePoint } from "./frames.ts";
import { EscapeTwice, keyInput, pressOf } from "./keys.ts";
import { PointerInput, type PointerLike } from "./pointer.ts";
import { composeInputs, textInputs } from "./text.ts";

/**
 * The picture and what drives it. A text area that nobody sees holds the keyboard while the picture has the focus: only
 * an editable element gets composed text, dead keys, a phone's on-screen keyboard and the paste event.
 */
export function Screen(props: {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly keyboard: RefObject<HTMLTextAreaElement | null>;
  readonly page: RefObject<{ width: number; height: number }>;
  readonly say: (...inputs: readonly ViewInput[]) => void;
  readonly drawn: boolean;
  readonly children: ReactNode;
}) {
  const { canvas, keyboard, page, say } = props;
  const pointer = useRef(new PointerInput());
  const leaving = useRef(new EscapeTwice());
  const leave = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    const screen = canvas.current;
    if (screen === null) return;
    // React listens for wheel passively; the page around must not scroll with the remote one.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = pagePoint(event, screen.getBoundingClientRect(), page.current);
      say({ type: "mouse", action: "wheel", ...at, deltaX: event.deltaX, deltaY: event.deltaY });
    };
    screen.addEventListener("wheel", wheel, { passive: false });
    return () => screen.removeEventListener("wheel", wheel);
  });

  const point = (event: React.PointerEvent<HTMLCanvasElement>, kind: PointerLike["kind"]) => {
    const at = pagePoint(event, event.currentTarget.getBoundingClientRect(), page.current);
    const { button, pointerId, timeStamp: atMs } = event;
    say(...pointer.current.inputs({ kind, isTouch: event.pointerType === "touch", pointerId, ...at, button, atMs }));
  };
  const key = (event: React.KeyboardEvent<HTMLTextAreaElement>, action: "down" | "up") => {
    if (action === "down" && leaving.current.isLeaving(event.key, event.timeStamp)) {
      event.preventDefault();
      leave.current?.focus();
      return;
    }
    const input = keyInput(event.nativeEvent, action);
    if (input === undefined) return;
    event.preventDefault();
    say(input);
  };
  const typed = (event: { readonly currentTarget: HTMLTextAreaElement }) => {
    say(...textInputs(event.currentTarget.value));
    event.currentTarget.value = "";
  };

  return (
    <>
      <div className="screen-box">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the picture is a whole application to drive */}
        <canvas
          ref={canvas}
          className="screen"
          tabIndex={0}
          role="application"
          aria-label={M.handoff.view}
          aria-describedby="view-help"
          onFocus={() => keyboard.current?.focus({ preventScroll: true })}
          onPointerDown={(event) => {
            // The default would take the focus away from the keyboard again.
            event.preventDefault();
            event.currentTarget.setPointerCapture(event.pointerId);
            if (event.pointerType !== "touch") keyboard.current?.focus({ preventScroll: true });
            point(event, "down");
          }}
          onPointerUp={(event) => {
            if (event.pointerType === "touch") keyboard.current?.focus({ preventScroll: true });
            point(event, "up");
          }}
          onPointerMove={(event) => point(event, "move")}
          onPointerCancel={(event) => point(event, "cancel")}
          onContextMenu={(event) => event.preventDefault()}
        />
        <textarea
          ref={keyboard}
          className="keyboard"
          tabIndex={-1}
          aria-label={M.handoff.view}
          aria-describedby="view-help"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          inputMode="text"
          enterKeyHint="go"
          onKeyDown={(event) => key(event, "down")}
          onKeyUp={(event) => key(event, "up")}
          onInput={(event) => {
            if (!(event.nativeEvent as InputEvent).isComposing) typed(event);
          }}
          onBeforeInput={(event) => {
            // An on-screen keyboard names no key for Backspace, only what it would do.
            if ((event.nativeEvent as Partial<InputEvent>).inputType === "deleteContentBackward") {
              say(...pressOf("Backspace"));
            }
          }}
          onCompositionUpdate={(event) => say(...composeInputs(event.data))}
          onCompositionEnd={(event) => {
            // Given up: nothing is left of it here, so nothing may stay there.
            if (event.currentTarget.value === "" && event.data === "") say({ type: "compose", text: "" });
            typed(event);
          }}
          onPaste={(event) => {
            event.preventDefault();
            say(...textInputs(event.clipboardData.getData("text/plain")));
          }}
        />
        {props.drawn ? null : (
          <p className="screen-wait" role="status">
            {M.handoff.waiting}
          </p>
        )}
      </div>
      {props.children}
      <p className="quiet" id="view-help" ref={leave} tabIndex={-1}>
        {M.handoff.viewHelp} {M.handoff.viewEscape}
      </p>
    </>
  );
}
