export const CONSOLE_VERSION = "0.2.0";
