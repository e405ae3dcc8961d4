import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress, parseAddress } from "./index.ts";

describe("U51 isPublicAddress", () => {
  test.each([
    ...["8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"],
    ...["192.167.255.255", "192.169.0.0", "169.253.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
    ...["128.0.0.0", "126.255.255.255", "11.0.0.0", "9.255.255.255", "168.63.129.15"],
    ...["2606:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888", "2001:200::1", "3ffe::1", "2003::"],
  ])("%s is public", (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  test.each([
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
    ...["127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1"],
    ...["192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1"],
    ...["239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16"],
    ...["::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:a00:1", "::127.0.0.1"],
    ...[
      "64:ff9b::a9fe:a9fe",
      "64:ff9b::10.0.0.1",
      "64:ff9b:1::1",
      "2002:7f00:1::",
      "2002:a9fe:a9fe::1",
      "2002:808:808::",
    ],
    ...[
      "fc00::1",
      "fd00:ec2::254",
      "fe80::1",
      "fec0::1",
      "ff02::1",
      "2001:db8::1",
      "2001::1",
      "2001:2::1",
      "2001:10::",
    ],
    ...["3fff::1", "3fff:fff::", "5f00::1", "100::1", "4000::1", "1fff::1"],
  ])("%s is not", (ip) => {
    expect(parseAddress(ip).ok).toBe(true);
    expect(isPublicAddress(ip)).toBe(false);
  });

  test.each([
    ...[
      "",
      "8.8.8",
      "8.8.8.8.8",
      "08.8.8.8",
      "8.8.8.256",
      "0x8.8.8.8",
      "134744072",
      "8.8.8.8 ",
      " 8.8.8.8",
      "8.8.8.8\n",
    ],
    ...["8.8.8.-1", "8.8.8.", "٨.8.8.8", "1e1.8.8.8", "[2606:4700::1111]", "2606:4700::1111%eth0", "2606:4700:::1111"],
    ...["2606::4700::1", "2606:4700", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::"],
    ...[":2606::1", "2606::1:", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "localhost"],
  ])("%j is no address", (ip) => {
    expect(parseAddress(ip)).toEqual({ ok: false, reason: "malformed" });
    expect(isPublicAddress(ip)).toBe(false);
  });

  test("every address inside a special block is refused, whatever its lower bits", () => {
    const special = fc.constantFrom([10], [127], [0], [169, 254], [192, 168], [224], [255], [198, 18], [203, 0, 113]);
    fc.assert(
      fc.property(special, fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }), (head, rest) => {
        const bytes = [...head, ...rest].slice(0, 4);
        const dotted = bytes.join(".");
        const [a = 0, b = 0, c = 0, d = 0] = bytes;
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const ip of [dotted, `::ffff:${dotted}`, `::${dotted}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(isPublicAddress(ip)).toBe(false);
        }
      }),
    );
  });

  test("agrees with the platform on what is an address and what is special", () => {
    const list = new BlockList();
    const v4 = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"];
    v4.push("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24");
    v4.push("203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32");
    for (const each of v4) {
      const [base = "", bits = ""] = each.split("/");
      list.addSubnet(base, Number(bits), "ipv4");
    }
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(ip)).toBe(!list.check(ip, "ipv4"));
      }),
    );
    const shape = fc.stringMatching(/^[0-9a-f:.]{2,24}$/);
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), shape), (ip) => {
        const parsed = parseAddress(ip);
        expect(parsed.ok ? parsed.value.family : 0).toBe(isIP(ip));
      }),
      { numRuns: 2000 },
    );
  });

  test("both spellings of an address give the same bytes", () => {
    expect(parseAddress("2001:DB8::1.2.3.4")).toEqual(parseAddress("2001:db8:0:0:0:0:102:304"));
  });
});
