/**
 * Node's own cryptography where this runs in Node: WebCrypto's way through a thread costs more than the signature does.
 * Looked up at run time, so that a bundle for browsers and edge runtimes holds no import of Node's.
 */
export const nodeCrypto = globalThis.process?.getBuiltinModule?.("node:crypto");
