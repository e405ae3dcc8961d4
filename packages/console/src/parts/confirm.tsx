import type { Result } from "@countersign/wire";
import { type ReactNode, useState } from "react";
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { M } from "../messages.ts";
import { type CallProblem, problemText } from "../server/api.ts";
import { Act } from "./act.tsx";
import { Problem } from "./problem.tsx";
import { Text } from "./value.tsx";

const LOOKS = { plain: "plain", danger: "danger", small: "danger small" } as const;

/**
 * A button for what cannot be taken back: it opens a dialog that tells the consequences, and only the button in there
 * does it. The dialog holds the focus, Escape and its second button leave everything as it was.
 */
export function Confirm(props: {
  readonly label: string;
  readonly kind?: "plain" | "danger" | "small";
  readonly title: string;
  /** What will happen, and what will not. */
  readonly children: ReactNode;
  /** The label of the button that does it; `label` when absent. */
  readonly action?: string;
  readonly act: () => Promise<Result<unknown, CallProblem>>;
  readonly onDone: () => Promise<void> | void;
  /** What else is to be looked at when it was refused. */
  readonly onProblem?: () => Promise<void> | void;
}) {
  const { label, title, act, onDone, onProblem } = props;
  const [problem, setProblem] = useState<string>();
  return (
    <DialogTrigger onOpenChange={() => setProblem(undefined)}>
      <Button className={`button ${LOOKS[props.kind ?? "danger"]}`}>{label}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog" className="dialog-box">
            {({ close }) => (
              <>
                <Heading slot="title">
                  <Text text={title} />
                </Heading>
                {props.children}
                {problem === undefined ? null : <Problem text={problem} />}
                <div className="actions">
                  <Act
                    label={props.action ?? label}
                    kind={props.kind === "plain" ? "primary" : "danger"}
                    act={act}
                    onDone={async () => {
                      close();
                      await onDone();
                      returnFocus();
                    }}
                    onProblem={async (reason) => {
                      setProblem(problemText(reason));
                      await onProblem?.();
                    }}
                  />
                  <Button className="button plain" onPress={close}>
                    {M.keep}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

/** What opened the dialog may be gone with what it did: then the page's title is where to go on from. */
function returnFocus(): void {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, FOCUS_SETTLES_MS);
}

/** The dialog gives the focus back by itself, when it has left the page. */
const FOCUS_SETTLES_MS = 50;
