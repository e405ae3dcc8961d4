/**
 * Why a store is refused. `bad_url`: no PostgreSQL URL. `unreachable`: nobody answers there. `login_refused`: user,
 * password or right to connect. `no_database`: the server has none of that name. `too_old`: the server. `unsafe_commit`:
 * `synchronous_commit` is off, so that a crash could lose a submission's row, which would be a second order.
 * `role_bypasses_rls`: a superuser, or a role with BYPASSRLS, for whom the wall between tenants does not stand.
 * `role_cannot_create`: the role may not make tables. `newer_schema`: a newer build of Countersign wrote this store.
 * `other_keys`: what is in there was sealed under another master key.
 */
export type StoreProblem =
  | "bad_url"
  | "unreachable"
  | "login_refused"
  | "no_database"
  | "too_old"
  | "unsafe_commit"
  | "role_bypasses_rls"
  | "role_cannot_create"
  | "newer_schema"
  | "other_keys";
