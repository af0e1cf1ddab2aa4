import assert from "node:assert/strict";
import test from "node:test";
import { exhibit } from "./page.mjs";

// Made with Python's plistlib; PropertyListTests has the same ones.
const plain =
  "62706c6973743030d40102030405060c0d516151625164516563007800e9000aa50708090a0b100113fffffffffffffffe23"
  + "400c000000000000094261623341c6925e80000000d0081113151719202628313a3b3e470000000000000101000000000000"
  + "000e00000000000000000000000000000048";
const archive =
  "62706c6973743030d40102030405062c2f5924617263686976657258246f626a656374735424746f70582476657273696f6e"
  + "5f100f4e534b657965644172636869766572aa070813191a1e1f25282b55246e756c6cd3090a0b0c0d105624636c61737357"
  + "4e532e6b6579735a4e532e6f626a656374738002a20e0f80038005a2111280048006d2141516175824636c61737365735a24"
  + "636c6173736e616d65a217185c4e5344696374696f6e617279584e534f626a656374526174d2091b1c1d574e532e74696d65"
  + "80072341c6925e80000000526f66d3092021222324546e616d65546e657874800880098000d214152627a127564e53446174"
  + "65d21415292aa12a5a4170702e506c6179657253416461d12d2e54726f6f74800112000186a000080011001b002400290032"
  + "0044004f0055005c0063006b00760078007b007d007f008200840086008b0094009f00a200af00b800bb00c000c800ca00d3"
  + "00d600dd00e200e700e900eb00ed00f200f400fb01000102010d011101140119011b00000000000002010000000000000030"
  + "00000000000000000000000000000120";
const endless =
  "62706c6973743030d30102030405115924617263686976657258246f626a656374735424746f705178a306070e55246e756c"
  + "6cd208090a0b5624636c6173735a4e532e6f626a656374738002a20c0d80018001d10f105a24636c6173736e616d65574e53"
  + "4172726179d1121354726f6f748001080f192227292d33383f4a4c4f51535661696c71000000000000010100000000000000"
  + "1400000000000000000000000000000073";
const bytes = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));

test("members are named", () => {
  assert.equal(exhibit.propertyList(bytes(plain)), ["4 members", "  a: “xé⏎”", "  b: 5 members", "    1", "    -2", "    3.5",
    "    true", "    2 bytes 6162", "  d: 2025-01-01 00:00:00 UTC", "  e: 0 members"].join("\n"));
});

test("an archive is what was archived", () => {
  assert.equal(exhibit.propertyList(bytes(archive)), ["NSDictionary", "  at: 2025-01-01 00:00:00 UTC", "  of: App.Player",
    "    name: “Ada”", "    next: nil"].join("\n"));
});

test("an object inside of itself is not told again", () => {
  assert.equal(exhibit.propertyList(bytes(endless)), ["NSArray, 2 members", "  NSArray, 2 members …", "  NSArray, 2 members …"].join("\n"));
});

test("other bytes, and damaged ones, are no list and end nothing", () => {
  assert.equal(exhibit.propertyList(new Uint8Array(100)), null);
  assert.equal(exhibit.propertyList(new TextEncoder().encode("bplist00")), null);
  for (const whole of [bytes(plain), bytes(archive)]) {
    for (let place = 8; place < whole.length; place += 1) {
      for (const byte of [0, 0x7f, 0xff, whole[place] ^ 1]) {
        const damaged = whole.slice();
        damaged[place] = byte;
        exhibit.propertyList(damaged);
      }
      exhibit.propertyList(whole.slice(0, place));
    }
  }
});
