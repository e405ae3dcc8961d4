import { err, ok, type Result } from "./result.ts";

/** An address by its bytes, 4 or 16 of them. */
export type Address = { readonly family: 4 | 6; readonly bytes: readonly number[] };

const OCTET = /^(0|[1-9][0-9]{0,2})$/;

type Block = { readonly bytes: readonly number[]; readonly bits: number };

/**
 * IANA's special-purpose registries (RFC 6890 and its updates), plus 168.63.129.16: a public address that is the
 * platform's own service inside every Azure machine.
 */
const NOT_PUBLIC_4: readonly Block[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(block);

/** Only 2000::/3 is global unicast; mapped, NAT64, ULA, link-local and multicast addresses all lie outside it. */
const GLOBAL_6 = block("2000::/3");
/** Inside 2000::/3: protocol assignments with Teredo, documentation, 6to4 (deprecated, and a tunnel to any IPv4). */
const NOT_PUBLIC_6: readonly Block[] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(block);

/**
 * Whether an IP literal may be reached as a destination (lessons U51). False for everything special (loopback, private,
 * link-local with cloud metadata, shared, documentation, multicast, reserved, IPv4 inside IPv6) and for every text that
 * is not an address in its plain form: no brackets, no zone, no octal, hexadecimal or short IPv4.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (!address.ok) return false;
  const { family, bytes } = address.value;
  if (family === 4) return !NOT_PUBLIC_4.some((each) => contains(each, bytes));
  return contains(GLOBAL_6, bytes) && !NOT_PUBLIC_6.some((each) => contains(each, bytes));
}

/** Reads dotted-decimal IPv4 (no leading zeros) or RFC 4291 IPv6 (with or without dotted tail, no zone). */
export function parseAddress(text: string): Result<Address, "malformed"> {
  const v4 = parseV4(text);
  if (v4) return ok({ family: 4, bytes: v4 });
  const v6 = parseV6(text);
  return v6 ? ok({ family: 6, bytes: v6 }) : err("malformed");
}

function parseV4(text: string): readonly number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) <= 255)) return undefined;
  return parts.map(Number);
}

function parseV6(text: string): readonly number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = "", tail] = halves;
  // Only the very end may be dotted, so the part before `::` never is.
  const left = groups(head, "hex");
  const right = tail === undefined ? [] : groups(tail, "hex_or_dotted");
  if (tail === undefined) {
    const whole = groups(head, "hex_or_dotted");
    return whole?.length === 16 ? whole : undefined;
  }
  if (!left || !right) return undefined;
  const missing = 16 - left.length - right.length;
  // `::` stands for at least one group (RFC 5952 section 4.2.2 even asks for two; RFC 4291 allows one).
  return missing >= 2 ? [...left, ...new Array<number>(missing).fill(0), ...right] : undefined;
}

function groups(text: string, ending: "hex" | "hex_or_dotted"): readonly number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const bytes: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 255);
      continue;
    }
    const dotted = ending === "hex_or_dotted" && i === parts.length - 1 ? parseV4(part) : undefined;
    if (!dotted) return undefined;
    bytes.push(...dotted);
  }
  return bytes;
}

function block(text: string): Block {
  const [base = "", bits = ""] = text.split("/");
  const bytes = parseV4(base) ?? parseV6(base) ?? [];
  return { bytes, bits: Number(bits) };
}

function contains(range: Block, bytes: readonly number[]): boolean {
  return range.bytes.every((want, i) => {
    const used = Math.min(Math.max(range.bits - i * 8, 0), 8);
    const mask = (0xff << (8 - used)) & 0xff;
    return ((want ^ (bytes[i] ?? 0)) & mask) === 0;
  });
}
