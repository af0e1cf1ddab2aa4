/* Binary property lists in blobs, and keyed archives: what ReportInspection/CoreData reads on the other side. */
exhibit.propertyList = (() => {
  const [mostDepth, mostMembers, mostNamed, mostLetters] = [12, 100, 1000, 10_000];
  const reference = 978_307_200;

  /** @typedef {{ kind: "value", text: string } | { kind: "text", text: string } | { kind: "uid", number: number }
      | { kind: "array", members: number[] } | { kind: "dictionary", members: [number, number][] }
      | { kind: "data", bytes: Uint8Array } | { kind: "time", seconds: number }} Node */

  /** Throws a RangeError where an object lies outside of the bytes.
      @param {Uint8Array} bytes */
  const reader = (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const trailer = bytes.length - 32;
    /** @type {(place: number, size: number) => number} */
    const number = (place, size) => {
      if (place < 0 || place + size > trailer) throw new RangeError("outside");
      let value = 0;
      for (let index = 0; index < size; index += 1) value = value * 256 + bytes[place + index];
      return value;
    };
    const [offsetSize, numberSize] = [view.getUint8(trailer + 6), view.getUint8(trailer + 7)];
    const count = Number(view.getBigUint64(trailer + 8));
    const top = Number(view.getBigUint64(trailer + 16));
    const table = Number(view.getBigUint64(trailer + 24));
    if (!offsetSize || !numberSize || count * offsetSize + table > trailer) throw new RangeError("no table");

    /** @type {(place: number) => Node} */
    const object = (place) => {
      const [kind, low] = [bytes[place] >> 4, bytes[place] & 15];
      if (kind === 0) return { kind: "value", text: low === 9 ? "true" : low === 8 ? "false" : "null" };
      if (kind === 1) return { kind: "value", text: integer(place + 1, 1 << low) };
      if (kind === 2) {
        number(place + 1, 1 << low);
        return { kind: "value", text: String(low === 2 ? view.getFloat32(place + 1) : view.getFloat64(place + 1)) };
      }
      if (kind === 3) {
        number(place + 1, 8);
        return { kind: "time", seconds: view.getFloat64(place + 1) };
      }
      if (kind === 8) return { kind: "uid", number: number(place + 1, low + 1) };
      let [length, start] = [low, place + 1];
      if (low === 15) {
        const size = 1 << (bytes[start] & 15);
        [length, start] = [number(start + 1, size), start + 1 + size];
      }
      const width = kind === 6 ? 2 : kind >= 10 ? numberSize * (kind === 13 ? 2 : 1) : 1;
      if (start + length * width > trailer) throw new RangeError("outside");
      const slice = bytes.subarray(start, start + length * width);
      if (kind === 4) return { kind: "data", bytes: slice };
      if (kind === 5 || kind === 7) return { kind: "text", text: new TextDecoder().decode(slice) };
      if (kind === 6) return { kind: "text", text: new TextDecoder("utf-16be").decode(slice) };
      /** @param {number} first */
      const numbers = (first) =>
        Array.from({ length }, (_, index) => number(start + (first + index) * numberSize, numberSize));
      if (kind === 13) {
        const [keys, values] = [numbers(0), numbers(length)];
        return { kind: "dictionary", members: keys.map((key, index) => [key, values[index]]) };
      }
      if (kind >= 10 && kind <= 12) return { kind: "array", members: numbers(0) };
      throw new RangeError("unknown");
    };

    /** @type {(place: number, size: number) => string} */
    const integer = (place, size) => {
      number(place, size);
      if (size < 8) return String(number(place, size));
      const low = view.getBigInt64(place + size - 8);
      return String(size === 8 ? low : (view.getBigInt64(place) << 64n) + BigInt.asUintN(64, low));
    };

    /** @param {number} index */
    const node = (index) => {
      if (!(index >= 0 && index < count)) throw new RangeError("no object");
      return object(number(table + index * offsetSize, offsetSize));
    };
    return { node, top };
  };

  /** @type {(list: ReturnType<typeof reader>, dictionary: Node, name: string) => number | undefined} */
  const member = (list, dictionary, name) => dictionary.kind === "dictionary" ? dictionary.members.find(([key]) => {
    const node = list.node(key);
    return node.kind === "text" && node.text === name;
  })?.[1] : undefined;

  /** @param {Uint8Array} bytes */
  const lines = (bytes) => {
    const list = reader(bytes);
    const whole = list.node(list.top);
    const objects = member(list, whole, "$archiver") === undefined ? undefined : member(list, whole, "$objects");
    const places = objects === undefined ? null : list.node(objects);
    const archived = places?.kind === "array" ? places.members : [];
    /** @param {number} index */
    const followed = (index) => {
      const node = list.node(index);
      return node.kind === "uid" && node.number < archived.length ? archived[node.number] : index;
    };
    /** @type {string[]} */
    const found = [];
    let [room, work] = [mostLetters, 100_000];

    /** @param {number} index */
    const text = (index) => {
      const node = list.node(followed(index));
      if (node.kind === "value") return node.text;
      const string = node.kind === "text" ? node : own(node, "NS.string");
      return string?.kind === "text" ? exhibit.visible(string.text.slice(0, 80)) : "?";
    };
    /** @type {(line: string, depth: number) => void} */
    const add = (line, depth) => {
      room -= line.length;
      found.push("  ".repeat(depth) + line);
    };
    /** @param {number} seconds */
    const time = (seconds) => {
      const date = new Date((seconds + reference) * 1000);
      return Number.isNaN(date.getTime()) ? `${seconds} seconds since 2001` : `${date.toISOString().replace("T", " ").replace(/\..*/, "")} UTC`;
    };
    /** @type {(node: Node, name: string) => Node | undefined} */
    const own = (node, name) => {
      const place = member(list, node, name);
      return place === undefined ? undefined : list.node(followed(place));
    };

    /** What it is, its first members, named or not, and how many it has.
        @type {(node: Node) => [string, [string, number][], number]} */
    const shape = (node) => {
      if (node.kind === "array") return [exhibit.counted(node.members.length, "member"), unnamed(node.members), node.members.length];
      if (node.kind !== "dictionary") return ["", [], 0];
      const described = archived.length ? own(node, "$class") : undefined;
      const name = described && own(described, "$classname");
      if (name?.kind !== "text") {
        return [exhibit.counted(node.members.length, "member"), named(node.members), node.members.length];
      }
      const [keys, values] = [own(node, "NS.keys"), own(node, "NS.objects")];
      const kind = exhibit.visible(name.text.slice(0, 80));
      if (values?.kind === "array" && keys?.kind === "array") {
        const count = Math.min(keys.members.length, values.members.length);
        return [kind, named(keys.members.slice(0, count).map((key, index) => [key, values.members[index]])), count];
      }
      if (values?.kind === "array") {
        return [`${kind}, ${exhibit.counted(values.members.length, "member")}`, unnamed(values.members), values.members.length];
      }
      const members = named(node.members).filter(([key]) => key !== "$class: ");
      return [kind, members, node.members.length - 1];
    };
    /** @type {(members: number[]) => [string, number][]} */
    const unnamed = (members) => members.slice(0, mostNamed).map((each) => ["", each]);
    /** @type {(members: [number, number][]) => [string, number][]} */
    const named = (members) => {
      const all = members.slice(0, mostNamed).map(/** @returns {[string, number]} */ ([key, value]) => [`${text(key)}: `, value]);
      return all.sort(([one], [other]) => one < other ? -1 : 1);
    };

    /** What has no members, in words; `null` for what has some.
        @type {(node: Node) => string | null} */
    const plain = (node) => {
      if (node.kind === "value") return node.text;
      if (node.kind === "uid") return `reference ${node.number}`;
      if (node.kind === "time") return time(node.seconds);
      if (node.kind === "data") return `${exhibit.counted(node.bytes.length, "byte")} ${exhibit.hexadecimal(node.bytes.subarray(0, 32))}`;
      if (node.kind === "text") return archived.length && node.text === "$null" ? "nil" : `“${exhibit.visible(node.text.slice(0, 200))}”`;
      if (!archived.length || !own(node, "$class")) return null;
      const string = own(node, "NS.string");
      if (string?.kind === "text") return `“${exhibit.visible(string.text.slice(0, 200))}”`;
      const seconds = own(node, "NS.time");
      if (seconds?.kind === "value") return time(Number(seconds.text));
      const [uuid, data] = [own(node, "NS.uuidbytes"), own(node, "NS.data")];
      if (uuid?.kind === "data" && uuid.bytes.length === 16) {
        return cells.uuid(exhibit.hexadecimal(uuid.bytes));
      }
      return data?.kind === "data" ? plain(data) : null;
    };

    /** @type {(index: number, label: string, depth: number, inside: number[]) => void} */
    const write = (index, label, depth, inside) => {
      if (room <= 0 || work <= 0) return;
      const place = followed(index);
      const node = list.node(place);
      const words = plain(node);
      if (words !== null) return add(label + words, depth);
      const [kind, members, count] = shape(node);
      work -= count + 1;
      if (depth >= mostDepth || inside.includes(place)) return add(`${label}${kind} …`, depth);
      add(label + kind, depth);
      for (const [name, value] of members.slice(0, mostMembers)) write(value, name, depth + 1, [...inside, place]);
      if (count > mostMembers) add(exhibit.counted(count - mostMembers, "more member"), depth + 1);
    };

    const start = archived.length ? member(list, whole, "$top") ?? list.top : list.top;
    const roots = list.node(start);
    write(archived.length && roots.kind === "dictionary" && roots.members.length === 1 ? roots.members[0][1] : start, "", 0, []);
    if (room <= 0 || work <= 0) found.push("…");
    return found.join("\n");
  };

  const magic = [...new TextEncoder().encode("bplist00")];

  return /** @type {Exhibit["propertyList"]} */ ((bytes) => {
    if (bytes.length < 41 || !magic.every((byte, index) => bytes[index] === byte)) return null;
    try {
      return lines(bytes);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  });
})();
