// SPDX-License-Identifier: MIT
// Views are trees of plain objects. `patch` changes only what differs, so focus, scrolling and transitions stay.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "scrollLeft", "scrollTop"]);
const kept = new WeakMap(); // element -> the children it was last patched with

/** Describes an element. `props`: attributes, `class` (text, or an object of flags), `style` (an object), `on...`
 *  handlers, `key` (identity among its siblings), `ref` (called with the element once, when it is made). */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children), key: props?.key };
}

/** Makes the children of an element those that are described. */
export function patch(parent, children, isSvg = false) {
  const before = kept.get(parent) ?? [];
  const after = flat([children]);
  const keyed = new Map();
  const loose = [];
  for (const each of before) each.key === undefined ? loose.push(each) : keyed.set(each.key, each);
  let place = parent.firstChild;
  for (const each of after) {
    const old = each.key === undefined ? taken(loose, each) : keyed.get(each.key);
    if (old && old.tag === each.tag) {
      if (each.key !== undefined) keyed.delete(each.key);
      each.element = old.element;
      update(each, old, isSvg);
    } else {
      make(each, isSvg);
    }
    if (each.element === place) place = place.nextSibling;
    else parent.insertBefore(each.element, place);
  }
  const stays = new Set(after.map((each) => each.element));
  for (const each of before) if (!stays.has(each.element)) each.element.remove();
  kept.set(parent, after);
}

function flat(children) {
  const found = [];
  for (const each of children.flat(Infinity)) {
    if (each === null || each === undefined || each === false || each === true) continue;
    found.push(typeof each === "object" ? each : { tag: "#text", text: String(each), props: {}, children: [] });
  }
  return found;
}

function taken(loose, wanted) {
  const place = loose.findIndex((each) => each.tag === wanted.tag);
  return place < 0 ? undefined : loose.splice(place, 1)[0];
}

function make(node, isSvg) {
  if (node.tag === "#text") {
    node.element = document.createTextNode(node.text);
    return;
  }
  const inSvg = isSvg || node.tag === "svg";
  node.element = inSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  patch(node.element, node.children, inSvg);
  for (const [name, value] of Object.entries(node.props)) set(node.element, name, value, undefined);
  node.props.ref?.(node.element);
}

function update(node, old, isSvg) {
  if (node.tag === "#text") {
    if (node.text !== old.text) node.element.data = node.text;
    return;
  }
  patch(node.element, node.children, isSvg || node.tag === "svg");
  for (const name of Object.keys(old.props)) if (!(name in node.props)) set(node.element, name, null, old.props[name]);
  for (const [name, value] of Object.entries(node.props)) set(node.element, name, value, old.props[name]);
}

function set(element, name, value, before) {
  if (name === "key" || name === "ref") return;
  if (name.startsWith("on")) listen(element, name.slice(2), value);
  else if (PROPERTIES.has(name)) {
    if (value !== undefined && value !== null && element[name] !== value) element[name] = value;
  } else if (name === "style") restyle(element, value ?? {}, before ?? {});
  else {
    const text = name === "class" ? classes(value) : value;
    if (text === null || text === undefined || text === false || text === "") {
      if (name === "alt" && text === "") element.setAttribute(name, "");
      else element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text === true ? "" : text);
  }
}

function classes(value) {
  if (value === null || typeof value !== "object") return value;
  return Object.keys(value)
    .filter((each) => value[each])
    .join(" ");
}

function restyle(element, style, before) {
  for (const name of Object.keys(before)) if (!(name in style)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) {
    if (before[name] !== value)
      value === null || value === undefined
        ? element.style.removeProperty(name)
        : element.style.setProperty(name, value);
  }
}

const handlers = new WeakMap(); // element -> {event: handler}; one listener each, so that handlers can change freely

function listen(element, event, handler) {
  const all = handlers.get(element) ?? {};
  if (!(event in all)) element.addEventListener(event, (given) => handlers.get(element)[event]?.(given));
  all[event] = handler;
  handlers.set(element, all);
}
