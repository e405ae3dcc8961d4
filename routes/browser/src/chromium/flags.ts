import { VIEW_SCALE } from "../limits.ts";

/**
 * What Chromium is started with besides Playwright's own flags. All names resolve to nothing but the proxy's address:
 * Chromium asks no name server, whatever a page or it itself wants. WebRTC may not go around the proxy.
 */
export function launchFlags(more: readonly string[]): string[] {
  return [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--no-pings",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    // Frames of the live view come in CSS pixels at any emulated scale; only this makes them sharp.
    `--force-device-scale-factor=${VIEW_SCALE}`,
    ...more,
  ];
}

/** The gateway's own environment holds keys and addresses: Chromium gets what it needs and nothing else. */
export function launchEnv(from: Readonly<Record<string, string | undefined>>, home: string): Record<string, string> {
  const env: Record<string, string> = { HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  for (const name of ["PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH"]) {
    const value = from[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
