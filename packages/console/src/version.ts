export const CONSOLE_VERSION = "0.1.0";
