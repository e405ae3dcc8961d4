import type { ConformanceCase } from "../case.ts";
import { apr4 } from "./apr-4.ts";
import { apr6 } from "./apr-6.ts";
import { aut3 } from "./aut-3.ts";
import { con1 } from "./con-1.ts";
import { con2 } from "./con-2.ts";
import { con3Amount } from "./con-3-amount.ts";
import { con3Period } from "./con-3-period.ts";
import { con5 } from "./con-5.ts";
import { mfa1 } from "./mfa-1.ts";
import { mfa3 } from "./mfa-3.ts";
import { pub1 } from "./pub-1.ts";
import { pub2 } from "./pub-2.ts";
import { pub3 } from "./pub-3.ts";
import { pub4 } from "./pub-4.ts";
import { pub5 } from "./pub-5.ts";
import { pub6 } from "./pub-6.ts";
import { rec1 } from "./rec-1.ts";
import { rec2 } from "./rec-2.ts";
import { rec4 } from "./rec-4.ts";
import { req1 } from "./req-1.ts";
import { req2 } from "./req-2.ts";
import { req3 } from "./req-3.ts";
import { req4Invalid } from "./req-4-invalid.ts";
import { req4Replay } from "./req-4-replay.ts";
import { req4Scope } from "./req-4-scope.ts";
import { req4Unknown } from "./req-4-unknown.ts";
import { req5 } from "./req-5.ts";
import { req6 } from "./req-6.ts";
import { req7 } from "./req-7.ts";
import { req8 } from "./req-8.ts";
import { req9 } from "./req-9.ts";
import { req10 } from "./req-10.ts";
import { sta1 } from "./sta-1.ts";
import { sta2 } from "./sta-2.ts";
import { sta3 } from "./sta-3.ts";
import { sta4 } from "./sta-4.ts";
import { sta5 } from "./sta-5.ts";
import { sta7 } from "./sta-7.ts";

/** Every case, in the order of the report. To add one: a file beside this, a line here, a row in README.md, a break. */
export const CASES: readonly ConformanceCase[] = [
  pub1,
  pub2,
  pub3,
  pub4,
  pub5,
  pub6,
  req1,
  req2,
  req3,
  req4Replay,
  req4Unknown,
  req4Scope,
  req4Invalid,
  req5,
  req6,
  req7,
  req8,
  req9,
  req10,
  aut3,
  con1,
  con2,
  con3Amount,
  con3Period,
  con5,
  apr4,
  apr6,
  mfa1,
  mfa3,
  sta1,
  sta2,
  sta3,
  sta4,
  sta5,
  sta7,
  rec1,
  rec2,
  rec4,
];
