/** Every wait and count of these tools; waits in milliseconds. */
export const databaseReadyMs = 20_000;
/** Every gateway under test holds up to ten connections and a listener. */
export const connectionsMax = 300;
/** A first caller waits for the server to be made. */
export const keeperAnswerMs = 60_000;
