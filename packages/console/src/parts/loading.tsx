import { M } from "../messages.ts";

/** Nothing for the first moment, so that a quick answer does not flash; then the outline of what is to come. */
export function Loading() {
  return (
    <div className="loading">
      <p role="status">{M.loading}</p>
      <div className="card outline" />
      <div className="card outline" />
    </div>
  );
}
