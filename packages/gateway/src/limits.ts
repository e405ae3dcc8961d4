/** Every limit of the gateway. Times are milliseconds. */
export const GRANT_DAYS_MAX = 366;
/** Entries of a list in a grant's limits: they enter the action record, which is bounded. */
export const GRANT_LIST_MAX = 20;
export const GRANT_ACTIONS_MAX = 1_000_000;
export const PAYEE_CHARS_MAX = 253;
export const GRANT_TASKS_SHOWN = 50;
export const REQUEST_HORIZON_MS = 30 * 24 * 3_600_000;
export const RECORD_LIFE_MS = 15 * 60_000;
export const CONTINUATION_LIFE_MS = 15 * 60_000;
/** Passwords, and codes, that a person may try at one destination in this time: sites lock accounts, often at the fifth wrong one. */
export const SIGN_IN_TRIES_MAX = 4;
export const SIGN_IN_TRIES_MS = 3_600_000;
/** With so many left the account holder is warned. */
export const SIGN_IN_TRIES_WARN = 1;
export const SIGN_IN_LINK_LIFE_MS = 15 * 60_000;
/** A person's session ends this long after it began, and earlier when nothing was asked in it for the idle time. */
export const PERSON_SESSION_LIFE_MS = 12 * 3_600_000;
export const PERSON_SESSION_IDLE_MS = 60 * 60_000;
/** How exactly it is noted when a session was last used: each note is a write. */
export const PERSON_SESSION_NOTE_MS = 60_000;
export const PASSKEYS_MAX = 20;
/** How long a browser has to answer a challenge, or to come back from an outside provider. */
export const CEREMONY_LIFE_MS = 5 * 60_000;
export const OUTSIDE_SIGN_IN_LIFE_MS = 10 * 60_000;
/** Answers to challenges that failed, of one browser within the time; more are refused unheard. */
export const SIGN_IN_FAILURES_MAX = 8;
export const SIGN_IN_FAILURES_MS = 15 * 60_000;
/** Tries to sign in from one address in a minute, whatever cookies they show. */
export const SIGN_IN_TRIES_PER_MINUTE = 30;
/** How often an open live view looks whether its person is still signed in. */
export const SESSION_LOOK_MS = 1_000;
export const BACK_PATH_CHARS_MAX = 300;
export const RESULT_LIFE_MS = 24 * 3_600_000;

export const LEASE_MS = 60_000;
export const LEASE_RENEW_MS = 15_000;
/** How long the lease of a step that has ended waits, so that it is given back together with the next look. */
export const LEASE_END_MS = 25;
/** How long a note on progress waits for a transition to be written with. */
export const PROGRESS_WAIT_MS = 100;
/** A read that takes longer is shown as executing meanwhile; a shorter one stores its whole way at its end. */
export const READ_SHOWN_MS = 300;
export const WORKERS_MAX = 4;
export const WORKER_CEILING_MS = 1_000;
export const TRIES_BEFORE_BOUNDARY_MAX = 3;
export const RETRY_FIRST_MS = 2_000;
export const RETRY_CAP_MS = 60_000;
export const PENDING_MS_MAX = 60_000;
/** The longest that an adapter may take for one step before the boundary. */
export const ADAPTER_STEP_MS = 120_000;
/** How long a step that was given up may take to end, before its place (not its lease) is given to other tasks. */
export const STEP_END_MS = 30_000;

/** How long one signer may take to say who is calling; then the request goes without it. */
export const IDENTITY_SIGN_MS = 2_000;
export const SEND_CONNECT_MS = 15_000;
export const SEND_ANSWER_MS = 60_000;
export const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
export const ANSWER_DELIVERY_MS = 10_000;

export const READ_BACK_FIRST_MS = 1_000;
export const READ_BACK_CAP_MS = 5 * 60_000;
export const READ_BACKS_BEFORE_REVIEW = 8;
/** How long after a submission the site's "it is not there" begins to count: late orders exist. */
export const ABSENT_SETTLE_MS = 2 * 60_000;

export const POLL_MS = { waiting: 2_000, working: 1_000, watching: 60_000, done: 0 } as const;
export const EVENTS_PAGE = 200;
export const TASKS_PAGE = 100;
export const RECEIPTS_PAGE = 200;
export const SECRET_SCAN_CHARS_MIN = 8;
export const PURPOSE_CHARS_MAX = 500;
export const NAME_CHARS_MAX = 80;
export const DETAIL_BYTES_MAX = 4_096;
export const KEY_LIFE_MS = 365 * 24 * 3_600_000;
/** How long a replaced key still counts, for what is being signed at that moment by another process. */
export const KEY_OVERLAP_MS = 60_000;
/** A key is replaced this long before its end. */
export const KEY_RENEW_MS = 30 * 24 * 3_600_000;
/** Leaves of one batch, which is one transaction. */
export const LOG_BATCH = 256;
export const CHECKPOINT_EVERY_MS = 3_600_000;
/** How long a commit waits for its approval's place in the log before it is tried again later. */
export const LOG_WAIT_MS = 5_000;
export const MERCHANT_RECORDS_MAX = 8;
export const MERCHANT_RECORD_BYTES_MAX = 256 * 1024;
export const AGENTS_WAITING_MAX = 20;
export const TASKS_OPEN_MAX = 200;
/** Watches that one agent, and all agents of one person, may have open. */
export const WATCHES_OF_AGENT_MAX = 20;
export const WATCHES_OF_PERSON_MAX = 50;
export const WATCH_DAYS_MAX = 92;
/** Looks are spread over this share of the pace, so that watches made at one moment do not stay together. */
export const WATCH_SPREAD = 0.25;
/** How soon it is asked again whether the grant's hours have come; the destination is not asked. */
export const WATCH_HOURS_MS = 10 * 60_000;
/** How long after a sign-in that nobody made the account holder is asked for it again. */
export const WATCH_ASK_AGAIN_MS = 24 * 3_600_000;
export const CONSENTS_OPEN_MAX = 50;

/** How long a site's verification after the submission waits for the person before the outcome is unknown (MFA-6). */
export const VERIFICATION_LIFE_MS = 10 * 60_000;
/** How long what the person typed may be on its way to the site before it is unclear what became of it. */
export const VERIFICATION_SEND_MS = 90_000;
/** A passkey that nothing older confirmed decides only after this long; so does an enrolled authority. */
export const CREDENTIAL_SETTLE_MS = 24 * 3_600_000;
/** The longest that an authority may take to judge its evidence. */
export const AUTHORITY_MS = 10_000;
export const AUTHORITY_OPERATIONS_MAX = 50;
export const EVIDENCE_CHARS_MAX = 48 * 1024;
export const CONSUME_KEYS_MAX = 16;
export const CONSUME_KEY_CHARS_MAX = 256;

/** The server: how long a request may take to be sent to us, its head and all of it, and how many may be open. */
export const HEADERS_MS_MAX = 10_000;
export const REQUEST_MS_MAX = 30_000;
export const HEADER_BYTES_MAX = 16 * 1024;
export const CONNECTIONS_MAX = 2_048;
/** Credentials that have counted lately, by their hash: whose count a request belongs to. */
export const KNOWN_CALLERS_MAX = 10_000;
/** Streams of a task's events that one agent, and all of them, may have open. */
export const AGENT_STREAMS_MAX = 16;
export const AGENTS_STREAMS_MAX = 512;
/** Live windows of one browser session, and of all of them. */
export const SESSION_LIVE_MAX = 8;
export const LIVE_ALL_MAX = 128;
/** Pages that are told of changes, of all sessions together. */
export const CHANGES_ALL_MAX = 1_024;

/** Messages a person gets by one channel in an hour before the next is one for all; warnings are counted apart. */
export const NOTICES_PER_HOUR_MAX = 10;
export const NOTICES_AT_ONCE_MAX = 100;
export const NOTICE_TRIES_MAX = 8;
export const NOTICE_RETRY_FIRST_MS = 5_000;
export const NOTICE_RETRY_CAP_MS = 30 * 60_000;
/** One try, until its connection stands and again until each answer; the lease is longer than any of them together. */
export const NOTICE_SEND_MS = 15_000;
export const NOTICE_LEASE_MS = 2 * 60_000;
export const NOTICE_SENDERS_MAX = 4;
/** How often the outbox is looked at when nobody knocks. */
export const NOTICE_CEILING_MS = 1_000;
export const NOTICE_KEEP_MS = 30 * 24 * 3_600_000;
export const NOTICE_SWEEP_MS = 3_600_000;
/** How long a warning is worth sending. */
export const NOTICE_SECURITY_LIFE_MS = 3 * 24 * 3_600_000;
/** How long the inbox says that a person could not be reached. */
export const UNREACHED_SHOWN_MS = 7 * 24 * 3_600_000;
/** Text of others on one line of a message; the page has all of it. */
export const NOTICE_TEXT_CHARS_MAX = 400;
/** Receivers that one agent may name for what becomes of its tasks. */
export const TASK_WEBHOOKS_MAX = 5;
export const TASK_WEBHOOK_TRIES_MAX = 12;
export const TASK_WEBHOOK_SENDERS_MAX = 4;
/** How long a destination is told that a sign-in is over. */
export const GIVE_BACK_MS = 15_000;
/** How long a secret that was replaced still signs beside the new one. */
export const TASK_WEBHOOK_OVERLAP_MS = 24 * 3_600_000;
/** How long what became of a message is kept. */
export const TASK_WEBHOOK_KEEP_MS = 7 * 24 * 3_600_000;
/** Where one task may be told of by a protocol's push, and how long the longest such wish is kept. */
export const PUSHES_OF_TASK_MAX = 5;
export const PUSH_KEEP_MS = 40 * 24 * 3_600_000;
export const CONTACT_CODE_LIFE_MS = 30 * 60_000;
export const CONTACT_CODE_TRIES_MAX = 5;
export const CONTACT_CODES_PER_HOUR_MAX = 5;
/** Pages that are told of changes: how often the rows are looked at while any is open, and how soon after a poke. */
export const CHANGES_LOOK_MS = 1_000;
export const CHANGES_SPACING_MS = 50;
export const CHANGES_HEARTBEAT_MS = 15_000;
/** The longest that one stream of changes lasts; a page opens the next by itself. */
export const CHANGES_LIFE_MS = 15 * 60_000;
export const SESSION_STREAMS_MAX = 6;
/** How exactly it is kept when an agent was last seen. */
export const AGENT_SEEN_MS = 60_000;

/** What plugins keep for a while: how often what is over is swept, how much at a time, and how long after its end. */
export const PLUGIN_SWEEP_MS = 5 * 60_000;
export const PLUGIN_SWEEP_BATCH = 200;
export const PLUGIN_SWEEP_GRACE_MS = 10 * 60_000;

/** How far back an equal act of the account is mentioned beside a decision, how many are looked at and how many shown. */
export const EARLIER_MS = 30 * 24 * 60 * 60_000;
export const EARLIER_LOOKED_AT_MAX = 50;
export const EARLIER_SHOWN_MAX = 3;
