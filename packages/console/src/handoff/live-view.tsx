import type { LiveClientMessage, LiveServerMessage } from "@countersign/gateway/trusted-contract";
import type { ViewNotice, ViewTab } from "@countersign/plugin";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { AddressBar } from "./address-bar.tsx";
import { connectLive, type LiveConnection, type Lost } from "./connection.ts";
import { drawFrame } from "./frames.ts";
import { noticeText } from "./notice.ts";
import { PasteBox } from "./paste-box.tsx";
import { Screen } from "./screen.tsx";
import { SiteDialog } from "./site-dialog.tsx";
import { pageSize } from "./size.ts";
import { Tabs } from "./tabs.tsx";

const SETTLE_MS = 250;

/** The destination's own page, streamed: pictures come in, input goes out, and nothing of it is kept (MFA-2). */
export function LiveView(props: {
  readonly continuationRef: string;
  readonly onLost: (why: Lost) => void;
  /** What ends it: stands right below the picture, where the person is when they have signed in. */
  readonly children: ReactNode;
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
  const [notice, setNotice] = useState<ViewNotice>();
  const [tabs, setTabs] = useState<readonly ViewTab[]>([]);
  const [role, setRole] = useState<Extract<LiveServerMessage, { type: "role" }>>();
  const [drawn, setDrawn] = useState(false);
  lost.current = onLost;

  const say = (...inputs: readonly LiveClientMessage[]) => live.current?.say(...inputs);

  useEffect(() => {
    const sized = { width: 0, drives: false };
    const resize = () => {
      const size = pageSize(canvas.current?.clientWidth ?? 0, innerHeight);
      // A phone's on-screen keyboard changes the height only: the page must not jump each time it comes and goes.
      if (!sized.drives || size.width === sized.width) return;
      sized.width = size.width;
      connection.say({ type: "resize", ...size });
    };
    const connection = connectLive(continuationRef, {
      onFrame: async (frame) => {
        if (canvas.current === null) return;
        await drawFrame(frame, canvas.current);
        page.current = { width: frame.width, height: frame.height };
        setDrawn(true);
      },
      onMessage: (message) => {
        switch (message.type) {
          case "role":
            setRole(message);
            sized.drives = message.role === "driver";
            sized.width = 0;
            return resize();
          case "location":
            setPlace(message);
            return setNotice(undefined);
          case "notice":
            return setNotice(message);
          case "tabs":
            return setTabs(message.tabs);
          case "dialog":
            return setDialog(message);
          case "closed":
            return lost.current("ended");
        }
      },
      onClosed: (why) => lost.current(why),
    });
    live.current = connection;
    let settle: ReturnType<typeof setTimeout> | undefined;
    const watch = new ResizeObserver(() => {
      clearTimeout(settle);
      settle = setTimeout(resize, SETTLE_MS);
    });
    if (box.current !== null) watch.observe(box.current);
    return () => {
      clearTimeout(settle);
      watch.disconnect();
      connection.close();
    };
  }, [continuationRef]);

  const drives = role?.role !== "watcher";
  return (
    <div className="live" ref={box}>
      <AddressBar place={place} onBack={() => say({ type: "back" })} onReload={() => say({ type: "reload" })} />
      <Tabs tabs={tabs} say={say} />
      {drives ? null : (
        <div className="notice" role="status">
          <p>{role.driven ? M.handoff.watching : M.handoff.undriven}</p>
          <Button className="button plain small" onPress={() => say({ type: "take" })}>
            {M.handoff.take}
          </Button>
        </div>
      )}
      {notice === undefined ? null : (
        <p className="notice" role="status">
          <Text text={noticeText(notice)} />
        </p>
      )}
      {dialog === undefined || !drives ? null : (
        <SiteDialog
          dialog={dialog}
          onAnswer={(answer) => {
            say(answer);
            setDialog(undefined);
            keyboard.current?.focus();
          }}
        />
      )}
      <Screen canvas={canvas} keyboard={keyboard} page={page} say={drives ? say : nothing} drawn={drawn}>
        {props.children}
      </Screen>
      {drives ? <PasteBox say={say} /> : null}
    </div>
  );
}

function nothing(): void {}

/** The view is gone: why, and how to begin again. */
export function LostView(props: { readonly why: Lost; readonly onAgain: () => void }) {
  return (
    <>
      <Problem text={M.handoff[props.why]} />
      {props.why === "signedOut" ? null : (
        <Button className="button plain" onPress={props.onAgain}>
          {M.handoff.again}
        </Button>
      )}
    </>
  );
}
