// EverShop listens on every address and has no setting for it; a test shop is nobody else's business.
import { Server } from "node:net";

const listen = Server.prototype.listen;

Server.prototype.listen = function listenOnLoopback(...args) {
  const [port, second] = args;
  const wantsAll = typeof port === "number" && (second === undefined || typeof second === "function");
  return wantsAll ? listen.call(this, port, "127.0.0.1", ...args.slice(1)) : listen.apply(this, args);
};
