import { describe, expect, it } from "vitest";
import { addressKind } from "./address.ts";

describe("an address", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2606:4700::1111", "public"],
    ["::ffff:8.8.8.8", "public"],
    ["64:ff9b::8.8.8.8", "public"],
    ["127.0.0.1", "loopback"],
    ["0.0.0.0", "loopback"],
    ["::", "loopback"],
    ["::1", "loopback"],
    ["::127.0.0.1", "loopback"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "private"],
    ["fd00::1", "private"],
    ["64:ff9b:1::a00:1", "private"],
    ["2001:db8:1:2:0:5efe:10.0.0.1", "private"],
    ["169.254.1.1", "link_local"],
    ["fe80::1%eth0", "link_local"],
    ["169.254.169.254", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["100.100.100.200", "metadata"],
    ["192.0.0.192", "metadata"],
    ["168.63.129.16", "metadata"],
    ["192.0.2.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["224.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["::808:808", "reserved"],
    ["2002:808:808::1", "reserved"],
    ["2001:0:1::1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["ff02::1", "reserved"],
    ["100::1", "reserved"],
    ["fec0::1", "reserved"],
  ])("%s is %s", (text, kind) => expect(addressKind(text)).toBe(kind));

  it.each(["example.com", "", "1.2.3", "1.2.3.4.5", ":::", "a:b"])("%j is none", (text) =>
    expect(addressKind(text)).toBeNull(),
  );
});
