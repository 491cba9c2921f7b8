// @ts-check
/**
 * A small virtual DOM. A page describes its content with `h`, and `draw` changes only what differs. Elements are reused,
 * so focus, running animations and typed text survive.
 */

/** @typedef {{tag: string, key: string | undefined, props: Record<string, any>, children: Child[]}} VNode */
/** @typedef {VNode | string} Child */
/** @typedef {Child | number | null | undefined | false | any[]} Content */

const SVG = "http://www.w3.org/2000/svg";
/** @type {WeakMap<Node, {tag: string, key: string | undefined, props: Record<string, any>}>} */
const drawn = new WeakMap();

/**
 * @param {string} tag
 * @param {Record<string, any> | null} [props] attributes; `onclick` and the like are listeners, `style` an object, `prop:value` a property
 * @param {...Content} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  return {
    tag,
    key: props?.key === undefined ? undefined : String(props.key),
    props: props ?? {},
    children: flatten(children, []),
  };
}

/** A paragraph in small print. @param {...Content} children */
export const quietText = (...children) => h("p", { class: "quiet" }, ...children);

/** A row of buttons. @param {...Content} children */
export const buttonRow = (...children) => h("div", { class: "buttons" }, ...children);

/** @param {Content[]} given @param {Child[]} into @returns {Child[]} */
function flatten(given, into) {
  for (const child of given) {
    if (Array.isArray(child)) flatten(child, into);
    else if (child !== null && child !== undefined && child !== false)
      into.push(typeof child === "number" ? String(child) : child);
  }
  return into;
}

/** Updates the children of an element. @param {Element} parent @param {...Content} children */
export function draw(parent, ...children) {
  drawChildren(parent, flatten(children, []), parent.namespaceURI === SVG);
}

/** @param {Element} parent @param {Child[]} children @param {boolean} inSvg */
function drawChildren(parent, children, inSvg) {
  /** @type {Map<string, Node>} */
  const keyed = new Map();
  /** @type {Node[]} */
  const loose = [];
  for (const node of parent.childNodes) {
    const key = drawn.get(node)?.key;
    if (key === undefined) loose.push(node);
    else keyed.set(key, node);
  }
  let next = parent.firstChild;
  for (const child of children) {
    const node = nodeFor(child, keyed, loose, inSvg);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  for (const node of [...keyed.values(), ...loose]) node.parentNode?.removeChild(node);
}

/**
 * Returns the node for a child: an existing one, or a new one.
 * @param {Child} child
 * @param {Map<string, Node>} keyed
 * @param {Node[]} loose
 * @param {boolean} inSvg
 * @returns {Node}
 */
function nodeFor(child, keyed, loose, inSvg) {
  if (typeof child === "string") {
    const at = loose.findIndex((node) => node.nodeType === Node.TEXT_NODE);
    if (at < 0) return document.createTextNode(child);
    const [text] = loose.splice(at, 1);
    if (text.nodeValue !== child) text.nodeValue = child;
    return text;
  }
  const svg = inSvg || child.tag === "svg";
  let old;
  if (child.key !== undefined) {
    old = keyed.get(child.key);
    if (old && drawn.get(old)?.tag === child.tag) keyed.delete(child.key);
    else old = undefined;
  } else {
    const at = loose.findIndex((node) => drawn.get(node)?.tag === child.tag);
    if (at >= 0) [old] = loose.splice(at, 1);
  }
  const element = /** @type {Element} */ (
    old ?? (svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag))
  );
  updateProps(element, drawn.get(element)?.props ?? {}, child.props);
  drawn.set(element, { tag: child.tag, key: child.key, props: child.props });
  if (!child.tag.includes("-")) drawChildren(element, child.children, svg);
  return element;
}

/** @param {Element} element @param {Record<string, any>} before @param {Record<string, any>} now */
function updateProps(element, before, now) {
  for (const name of Object.keys(before)) if (!(name in now)) setProp(element, name, undefined, before[name]);
  for (const [name, value] of Object.entries(now))
    if (value !== before[name] || name.startsWith("prop:")) setProp(element, name, value, before[name]);
}

/** @param {Element} element @param {string} name @param {any} value @param {any} before */
function setProp(element, name, value, before) {
  if (name === "key") return;
  if (name.startsWith("on")) {
    if (before) element.removeEventListener(name.slice(2), before);
    if (value) element.addEventListener(name.slice(2), value);
  } else if (name.startsWith("prop:")) {
    const property = name.slice(5);
    const target = /** @type {any} */ (element);
    if (value !== undefined && target[property] !== value) target[property] = value;
  } else if (name === "style") {
    const { style } = /** @type {HTMLElement} */ (element);
    for (const rule of Object.keys(before ?? {})) if (!(rule in (value ?? {}))) style.removeProperty(rule);
    for (const [rule, text] of Object.entries(value ?? {})) style.setProperty(rule, String(text));
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Sentences kept in the live region, so that a slow screen reader misses none. */
const ANNOUNCEMENTS_KEPT = 12;

/** Announces a text to screen readers, after earlier announcements. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live || !text) return;
  live.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (live.childElementCount > ANNOUNCEMENTS_KEPT) live.firstElementChild?.remove();
}

/** Loads a style sheet that only some pages need. @param {string} name @returns {Promise<void>} */
export function loadStylesheet(name) {
  const href = new URL(`../${name}`, import.meta.url).pathname;
  const there = document.querySelector(`link[href="${href}"]`);
  if (there) return Promise.resolve();
  return new Promise((ready) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.addEventListener("load", () => ready());
    link.addEventListener("error", () => ready());
    document.head.append(link);
  });
}

/** A term of a description list. @param {string} title @param {any} value @param {any} [more] */
export function fact(title, value, more) {
  return h(
    "div",
    { key: title },
    h("dt", null, title),
    value !== "" && h("dd", null, value),
    more && h("dd", { class: "quiet" }, more),
  );
}

/** Downloads a text as a file. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * A button that runs `onclick`.
 * @param {Content} text
 * @param {(event: MouseEvent) => unknown} onclick
 * @param {Record<string, any>} [props]
 */
export const buttonNode = (text, onclick, props) =>
  h("button", { type: "button", class: "button", onclick, ...props }, text);

/** The head of a table. @param {Content[]} titles */
export const tableHead = (titles) =>
  h(
    "thead",
    null,
    h(
      "tr",
      null,
      titles.map((title, at) => h("th", { key: at, scope: "col" }, title)),
    ),
  );
