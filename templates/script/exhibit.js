/* What all scripts use. Text from outside only ever becomes textContent. */
"use strict";

const exhibit = /** @type {Exhibit} */ ({});

(() => {
  exhibit.set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name, /** @type {EventListener} */ (value));
      else if (value === null || value === false || value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    return element;
  };

  exhibit.element = (name, attributes = "", ...children) => {
    const element = document.createElement(name);
    exhibit.set(element, typeof attributes === "string" ? { class: attributes || null } : attributes);
    element.append(...children);
    return element;
  };

  exhibit.button = (style, words, action, attributes = {}) =>
    exhibit.element("button", { class: style || null, type: "button", click: action, ...attributes }, words);

  exhibit.link = (href, ...children) => exhibit.element("a", { href }, ...children);

  exhibit.sign = (style, symbol) => exhibit.element("span", { class: style, "aria-hidden": "true" }, symbol);

  exhibit.one = (selector, root = document) => {
    const found = root.querySelector(selector);
    if (!found) throw new Error(`the page has no ${selector}`);
    return /** @type {never} */ (found);
  };

  exhibit.around = ({ target }, selector) => target instanceof Element ? target.closest(selector) : null;

  exhibit.linkOf = (event) => {
    const link = exhibit.around(event, "a");
    return link instanceof HTMLAnchorElement ? link : null;
  };

  exhibit.isTyping = (event) => exhibit.around(event, "input, select, textarea, dialog, [contenteditable]") !== null;

  exhibit.unfold = (element) => {
    let around = element.closest("details");
    for (; around; around = around.parentElement?.closest("details") ?? null) around.open = true;
  };

  exhibit.bringIntoSight = (element, block) => element.scrollIntoView({ block, behavior: "instant" });

  exhibit.framed = (action) => {
    let isWaiting = false;
    return () => {
      if (!isWaiting) requestAnimationFrame(() => { isWaiting = false; action(); });
      isWaiting = true;
    };
  };

  exhibit.isModified = (event) => event.ctrlKey || event.metaKey || event.altKey;

  exhibit.addressed = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  exhibit.parsed = (text) => {
    try { return JSON.parse(text ?? ""); } catch { return undefined; }
  };

  // Pages on disk may be refused their storage.
  exhibit.recall = (storage, name) => {
    try { return window[storage].getItem(name); } catch { return null; }
  };

  exhibit.keep = (storage, name, text) => {
    try { window[storage].setItem(name, text); } catch { /* What is kept is for comfort. */ }
  };

  exhibit.reason = (error) => error instanceof Error ? error.message : String(error);

  exhibit.grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

  exhibit.counted = (count, singular) => `${exhibit.grouped(count)} ${singular}${count === 1 ? "" : "s"}`;

  exhibit.duration = (seconds) => {
    if (seconds === null) return "";
    if (seconds < 0.00995) return `${(seconds * 1000).toFixed(1)} ms`;
    if (seconds < 0.9995) return `${(seconds * 1000).toFixed(0)} ms`;
    if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
    const whole = Math.round(seconds);
    const hours = Math.floor(whole / 3600);
    return `${hours ? `${hours} h ` : ""}${Math.floor(whole / 60) % 60} min ${whole % 60} s`;
  };

  exhibit.pattern = (text) => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

  exhibit.shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

  exhibit.sqlQuoted = (name) => `"${name.replaceAll('"', '""')}"`;

  exhibit.compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;

  exhibit.same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

  exhibit.once = (map, key, make) => {
    if (!map.has(key)) map.set(key, make(key));
    return /** @type {NonNullable<ReturnType<typeof map.get>>} */ (map.get(key));
  };

  exhibit.byName = (elements, nameOf) => {
    const groups = new Map();
    for (const element of elements) {
      const name = nameOf(element);
      const known = name === null ? [] : groups.get(name);
      if (known) known.push(element);
      else groups.set(name, [element]);
    }
    return groups;
  };

  exhibit.bytes = (base64) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    return bytes;
  };

  const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

  exhibit.hexadecimal = (bytes, between = "") => {
    let text = "";
    for (const byte of bytes) text += (text && between) + pairs[byte];
    return text;
  };
})();
