// @ts-check
/**
 * Drawing as a pure function of state: a page says what it should look like (`h`), and `draw` changes what differs.
 * Focus, running animations and text that somebody is typing survive, because elements are kept wherever they fit.
 */

/** @typedef {{tag: string, key: string | undefined, props: Record<string, any>, children: Child[]}} Node_ */
/** @typedef {Node_ | string} Child */
/** @typedef {Child | number | null | undefined | false | any[]} Some */

const SVG = "http://www.w3.org/2000/svg";
/** @type {WeakMap<Node, {tag: string, key: string | undefined, props: Record<string, any>}>} */
const drawn = new WeakMap();

/**
 * @param {string} tag
 * @param {Record<string, any> | null} [props] attributes; `onclick` and the like are listeners, `style` an object, `prop:value` a property
 * @param {...Some} children
 * @returns {Node_}
 */
export function h(tag, props, ...children) {
  return {
    tag,
    key: props?.key === undefined ? undefined : String(props.key),
    props: props ?? {},
    children: flat(children, []),
  };
}

/** @param {Some[]} given @param {Child[]} into @returns {Child[]} */
function flat(given, into) {
  for (const child of given) {
    if (Array.isArray(child)) flat(child, into);
    else if (child !== null && child !== undefined && child !== false)
      into.push(typeof child === "number" ? String(child) : child);
  }
  return into;
}

/** Makes the children of an element look like this. @param {Element} parent @param {...Some} children */
export function draw(parent, ...children) {
  drawChildren(parent, flat(children, []), parent.namespaceURI === SVG);
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
    const node = place(child, keyed, loose, inSvg);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  for (const node of [...keyed.values(), ...loose]) node.parentNode?.removeChild(node);
}

/**
 * The node for a child: one that is there already, or a new one.
 * @param {Child} child
 * @param {Map<string, Node>} keyed
 * @param {Node[]} loose
 * @param {boolean} inSvg
 * @returns {Node}
 */
function place(child, keyed, loose, inSvg) {
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
  dress(element, drawn.get(element)?.props ?? {}, child.props);
  drawn.set(element, { tag: child.tag, key: child.key, props: child.props });
  if (!child.tag.includes("-")) drawChildren(element, child.children, svg);
  return element;
}

/** @param {Element} element @param {Record<string, any>} before @param {Record<string, any>} now */
function dress(element, before, now) {
  for (const name of Object.keys(before)) if (!(name in now)) put(element, name, undefined, before[name]);
  for (const [name, value] of Object.entries(now))
    if (value !== before[name] || name.startsWith("prop:")) put(element, name, value, before[name]);
}

/** @param {Element} element @param {string} name @param {any} value @param {any} before */
function put(element, name, value, before) {
  if (name === "key") return;
  if (name.startsWith("on")) {
    if (before) element.removeEventListener(name.slice(2), before);
    if (value) element.addEventListener(name.slice(2), value);
  } else if (name.startsWith("prop:")) {
    const property = name.slice(5);
    const held = /** @type {any} */ (element);
    if (value !== undefined && held[property] !== value) held[property] = value;
  } else if (name === "style") {
    const { style } = /** @type {HTMLElement} */ (element);
    for (const rule of Object.keys(before ?? {})) if (!(rule in (value ?? {}))) style.removeProperty(rule);
    for (const [rule, said] of Object.entries(value ?? {})) style.setProperty(rule, String(said));
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** Sentences that stay in the live region: a reader that is still at the first one finds the others after it. */
const SAID = 12;

/** Says something to screen readers, politely: after what was said before, not in its place. @param {string} text */
export function say(text) {
  const live = document.getElementById("live");
  if (!live || !text) return;
  live.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (live.childElementCount > SAID) live.firstElementChild?.remove();
}

/** Loads a style sheet that only some pages need. @param {string} name @returns {Promise<void>} */
export function wear(name) {
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
