export { A2A_CARD_PATH, A2A_PATH, A2A_VERSIONS } from "./versions.ts";
