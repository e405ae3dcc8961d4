import type { LiveServerMessage } from "@countersign/gateway/trusted-contract";
import type { ViewInput } from "@countersign/plugin";
import { useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { AddressBar } from "./address-bar.tsx";
import { connectLive, type LiveConnection } from "./connection.ts";
import { drawFrame } from "./frames.ts";
import { PasteBox } from "./paste-box.tsx";
import { Screen } from "./screen.tsx";
import { SiteDialog } from "./site-dialog.tsx";

const PAGE_WIDTH_MIN = 320;
const PAGE_WIDTH_MAX = 1280;
const NARROW = 600;
const SETTLE_MS = 250;

/** The destination's own page, streamed: pictures come in, input goes out, and nothing of it is kept (MFA-2). */
export function LiveView(props: {
  readonly continuationRef: string;
  readonly onLost: (why: "lost" | "taken") => void;
}) {
  const { continuationRef, onLost } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const keyboard = useRef<HTMLTextAreaElement>(null);
  const live = useRef<LiveConnection>(undefined);
  const page = useRef({ width: 1, height: 1 });
  const lost = useRef(onLost);
  const [place, setPlace] = useState<Extract<LiveServerMessage, { type: "location" }>>();
  const [dialog, setDialog] = useState<Extract<LiveServerMessage, { type: "dialog" }>>();
  const [notice, setNotice] = useState<string>();
  const [drawn, setDrawn] = useState(false);
  lost.current = onLost;

  const say = (...inputs: readonly ViewInput[]) => live.current?.say(...inputs);

  useEffect(() => {
    const sized = { width: 0 };
    const resize = () => {
      const width = Math.round(Math.min(Math.max(box.current?.clientWidth ?? 0, PAGE_WIDTH_MIN), PAGE_WIDTH_MAX));
      // A phone's on-screen keyboard changes the height only: the page must not jump each time it comes and goes.
      if (width === sized.width) return;
      sized.width = width;
      connection.say({ type: "resize", width, height: Math.round(width < NARROW ? width * 1.5 : width * 0.65) });
    };
    const connection = connectLive(continuationRef, {
      onOpen: resize,
      onFrame: async (frame) => {
        if (canvas.current === null) return;
        await drawFrame(frame, canvas.current);
        page.current = { width: frame.width, height: frame.height };
        setDrawn(true);
      },
      onMessage: (message) => {
        if (message.type === "location") {
          setPlace(message);
          setNotice(undefined);
        } else if (message.type === "dialog") setDialog(message);
        else if (message.type === "notice") setNotice(message.text);
        else lost.current("lost");
      },
      onClosed: (why) => lost.current(why),
    });
    live.current = connection;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const watch = new ResizeObserver(() => {
      clearTimeout(settle);
      settle = setTimeout(() => sized.width !== 0 && resize(), SETTLE_MS);
    });
    if (box.current !== null) watch.observe(box.current);
    return () => {
      clearTimeout(settle);
      watch.disconnect();
      connection.close();
    };
  }, [continuationRef]);

  return (
    <div className="live" ref={box}>
      <AddressBar place={place} onBack={() => say({ type: "back" })} />
      {notice === undefined ? null : (
        <p className="notice" role="status">
          <Text text={notice} />
        </p>
      )}
      {dialog === undefined ? null : (
        <SiteDialog
          dialog={dialog}
          onAnswer={(answer) => {
            say(answer);
            setDialog(undefined);
            keyboard.current?.focus();
          }}
        />
      )}
      <Screen canvas={canvas} keyboard={keyboard} page={page} say={say} drawn={drawn} />
      <PasteBox say={say} />
    </div>
  );
}

/** The view is gone: why, and how to begin again. */
export function LostView(props: { readonly why: "lost" | "taken"; readonly onAgain: () => void }) {
  return (
    <>
      <Problem text={M.handoff[props.why]} />
      <Button className="button plain" onPress={props.onAgain}>
        {M.handoff.again}
      </Button>
    </>
  );
}
