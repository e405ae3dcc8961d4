/** A fault as the board offers it. */
export interface BoardSwitch {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly on: boolean;
}

/** One site on the switchboard: what may go wrong there, what its person's codes are, and what it has counted. */
export interface SiteBoard {
  /** Short, for the board's own forms. */
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly switches: () => readonly BoardSwitch[];
  /** False when there is no such switch. */
  readonly set: (id: string, on: boolean) => boolean;
  readonly acts: readonly { readonly id: string; readonly title: string }[];
  /** What can be done just now beside them, as the question on the phone stands. */
  readonly actsNow?: () => readonly { readonly id: string; readonly title: string }[];
  /** False when there is no such thing to do. */
  readonly act: (id: string) => boolean;
  /** What the person types there, and what their devices show now. */
  readonly codes: () => readonly { readonly label: string; readonly value: string }[];
  readonly counters: () => readonly { readonly label: string; readonly value: number }[];
}

/** A switch of a board: the setting that it turns on, in words. Those with `times` strike once and turn themselves off. */
export interface Offered<S> {
  readonly setting: S;
  readonly title: string;
  readonly text: string;
}

/** The switches of a site's control as a board has them. */
export function switchesOf<S extends { readonly switch: string }>(
  offered: Readonly<Record<string, Offered<S>>>,
  control: {
    readonly set: (setting: S) => void;
    readonly clear: (name: S["switch"]) => void;
    readonly switches: () => readonly S[];
  },
): Pick<SiteBoard, "switches" | "set"> {
  return {
    switches: () => {
      const on = new Set(control.switches().map((setting) => setting.switch));
      return Object.entries(offered).map(([id, { setting, title, text }]) => ({
        id,
        title,
        text,
        on: on.has(setting.switch),
      }));
    },
    set: (id, on) => {
      const found = Object.hasOwn(offered, id) ? offered[id] : undefined;
      if (found === undefined) return false;
      if (on) control.set(found.setting);
      else control.clear(found.setting.switch);
      return true;
    },
  };
}

export function actOf(acts: Readonly<Record<string, () => void>>, id: string): boolean {
  const act = Object.hasOwn(acts, id) ? acts[id] : undefined;
  act?.();
  return act !== undefined;
}

const PHONE = "phone:";

/** The person's phone on a card: a button for each number that it offers, and one for "it was not me". */
export function phoneActs(control: {
  readonly phone: () => { readonly choices: readonly string[] } | undefined;
}): readonly { readonly id: string; readonly title: string }[] {
  const question = control.phone();
  if (question === undefined) return [];
  return [
    ...question.choices.map((choice) => ({ id: `${PHONE}${choice}`, title: `On the phone: ${choice}` })),
    { id: `${PHONE}not_me`, title: "On the phone: it was not me" },
  ];
}

/** Does an act on the phone; false for one that is not asked for now. */
export function phoneAct(
  control: Parameters<typeof phoneActs>[0] & { readonly answerPhone: (answer: string) => boolean },
  id: string,
): boolean {
  return phoneActs(control).some((each) => each.id === id) && control.answerPhone(id.slice(PHONE.length));
}
