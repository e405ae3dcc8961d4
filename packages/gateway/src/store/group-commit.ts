/** The statements of one connection that begin, end and undo; each throws what the database says. */
export interface GroupedConnection {
  begin(): void;
  commit(): void;
  rollback(): void;
  savepoint(): void;
  release(): void;
  /** Undoes everything since the savepoint, which then no longer stands. */
  undo(): void;
  /** False once the database has ended the transaction by itself (a full disk, an I/O error). */
  isOpen(): boolean;
}

export interface GroupLimits {
  /** The most transactions that share one commit. */
  readonly transactions: number;
  /** No transaction joins a group that has been open for longer. Milliseconds of `nowMs`. */
  readonly openMs: number;
  readonly nowMs: () => number;
  /**
   * Calls back once what has already arrived has been looked at (`setImmediate`). Without this turn of the event loop
   * each transaction would run to its end, commit and hold everybody up before the next one is even heard.
   */
  readonly afterArrivals: (then: () => void) => void;
}

/** A place in the group, from `begin` until `keep` or `drop`. */
export interface Turn {
  readonly savepoint: "none" | "set";
}

/** Thrown to every member of a group whose commit failed: nothing of theirs was stored. */
export class GroupLost extends Error {
  override readonly name = "GroupLost";
  constructor(cause: unknown) {
    super("the commit failed: nothing of this transaction was stored", { cause });
  }
}

export interface GroupCommit {
  /** Waits its turn, in the order of asking; afterwards the connection belongs to the caller alone. */
  begin(): Promise<Turn>;
  /** Ends the turn. Resolves once what was done in it is durable; rejects when it is lost. */
  keep(turn: Turn): Promise<void>;
  /** Ends the turn and undoes what was done in it. The neighbours are not touched. */
  drop(turn: Turn): void;
  /** Commits what waits only for company. */
  flush(): void;
}

interface Member {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets transactions that wait for the same connection share one durable commit. Each still runs alone, from `begin` to
 * `keep`, and can be undone alone; only the sync is shared, and nobody is told "stored" before it has happened. Someone
 * who comes alone commits alone, without a wait for others that might come. The first of a group needs no savepoint:
 * when it is undone there is nobody beside it.
 */
export function createGroupCommit(connection: GroupedConnection, limits: GroupLimits): GroupCommit {
  const queue: (() => void)[] = [];
  let taken = false;
  let openedAt: number | undefined;
  let members: Member[] = [];
  let isCommitAsked = false;

  const settle = (how: (member: Member) => void): void => {
    const settled = members;
    members = [];
    openedAt = undefined;
    for (const member of settled) how(member);
  };

  const lose = (cause: unknown): void => {
    if (connection.isOpen()) connection.rollback();
    settle((member) => member.reject(new GroupLost(cause)));
  };

  const commit = (): void => {
    try {
      connection.commit();
    } catch (error) {
      lose(error);
      return;
    }
    settle((member) => member.resolve());
  };

  const isFull = (since: number): boolean =>
    members.length >= limits.transactions || limits.nowMs() - since >= limits.openMs;

  /** Commits once those who have already arrived have had their turn. */
  const askCommit = (): void => {
    if (isCommitAsked) return;
    isCommitAsked = true;
    limits.afterArrivals(() => {
      isCommitAsked = false;
      // Somebody whose turn has not ended asks again at its end.
      if (!taken && openedAt !== undefined) commit();
    });
  };

  /** The next in line goes on in the open group, unless it is full; when nobody waits it is committed. */
  const passOn = (): void => {
    if (openedAt !== undefined && isFull(openedAt)) commit();
    const next = queue.shift();
    taken = next !== undefined;
    if (next !== undefined) next();
    else if (openedAt !== undefined) askCommit();
  };

  return {
    async begin() {
      if (taken) await new Promise<void>((resolve) => queue.push(resolve));
      taken = true;
      try {
        if (openedAt !== undefined) {
          connection.savepoint();
          return { savepoint: "set" };
        }
        connection.begin();
        openedAt = limits.nowMs();
        return { savepoint: "none" };
      } catch (error) {
        if (openedAt !== undefined && !connection.isOpen()) lose(error);
        passOn();
        throw error;
      }
    },

    async keep(turn) {
      if (!connection.isOpen()) {
        const error = new GroupLost("the database ended the transaction by itself");
        lose(error);
        passOn();
        throw error;
      }
      try {
        if (turn.savepoint === "set") connection.release();
      } catch (error) {
        this.drop(turn);
        throw error;
      }
      const stored = new Promise<void>((resolve, reject) => members.push({ resolve, reject }));
      passOn();
      return stored;
    },

    drop(turn) {
      if (!connection.isOpen()) {
        lose("the database ended the transaction by itself");
      } else if (turn.savepoint === "set") {
        connection.undo();
      } else {
        connection.rollback();
        openedAt = undefined;
      }
      passOn();
    },

    flush() {
      if (!taken && openedAt !== undefined) commit();
    },
  };
}
