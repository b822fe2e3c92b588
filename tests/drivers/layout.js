// SPDX-License-Identifier: MIT
// Measures what is on the screen: returns a line for each defect of the layout, in the order of the page.
() => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, [role=button], [role=slider]";
  const SMALLEST = 24;
  const SLACK = 1.5;
  const found = new Set();
  const modal = document.querySelector("[aria-modal=true]");
  const root = modal ?? document.body;

  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const style = (element) => getComputedStyle(element);
  /** What is for readers of the screen alone is a pixel large. */
  const isUnread = (element) => {
    for (let each = element; each; each = each.parentElement)
      if (each.matches(".skip") || (each.clientWidth === 1 && each.clientHeight === 1)) return true;
    return false;
  };
  const textOf = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 50);
  const nameOf = (element) => `${element.tagName.toLowerCase()}${element.classList.length ? `.${[...element.classList].join(".")}` : ""} "${textOf(element)}"`;
  const say = (kind, ...what) => found.add(`${kind}: ${what.join(" ")}`);
  const box = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right), top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) });
  const overlap = (a, b) => Math.min(meet(a, b).right - meet(a, b).left, meet(a, b).bottom - meet(a, b).top);
  const isEmpty = (a) => a.right - a.left < 1 || a.bottom - a.top < 1;

  /** The ancestors that cut off what leaves them, and whether it can be scrolled to. */
  function cutters(element) {
    const all = [];
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
      const { overflowX, overflowY, position } = style(each);
      const scrolls = [overflowX, overflowY].some((way) => way === "auto" || way === "scroll");
      if (scrolls || overflowX !== "visible" || overflowY !== "visible") all.push({ element: each, scrolls });
      if (position === "fixed") break;
    }
    return all;
  }

  function visibleBox(element, of) {
    return cutters(element.parentElement).reduce((left, each) => meet(left, box(each.element.getBoundingClientRect())), of);
  }

  /** Whether an element stays at an edge of the screen now. */
  function isHeld(element) {
    const { position, top, bottom } = style(element);
    if (position !== "sticky") return position === "fixed";
    const edges = element.getBoundingClientRect();
    return Math.abs(edges.top - parseFloat(top)) < 2 || Math.abs(innerHeight - edges.bottom - parseFloat(bottom)) < 2;
  }

  function layerOf(element) {
    for (let each = element; each; each = each.parentElement) if (isHeld(each)) return each;
    return null;
  }

  /** Text nodes with the boxes of their letters. */
  function texts() {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const all = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !isShown(element) || isUnread(element) || element.closest("option, textarea")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const size = parseFloat(style(element).fontSize);
      for (const each of range.getClientRects()) {
        const middle = (each.top + each.bottom) / 2;
        const half = element.closest("svg") ? 0.3 * each.height : 0.36 * size; // a drawing may be scaled
        if (each.width) all.push({ element, left: each.left, right: each.right, top: middle - half, bottom: middle + half });
      }
    }
    return all;
  }

  function checkText(text) {
    const { element } = text;
    const svg = element.closest("svg");
    if (svg) {
      const around = svg.getBoundingClientRect();
      if (text.left < around.left - SLACK || text.right > around.right + SLACK || text.top < around.top - SLACK || text.bottom > around.bottom + SLACK)
        say("cut off", nameOf(element), "in its drawing");
      return;
    }
    let block = element;
    while (style(block).display === "inline") block = block.parentElement;
    const own = block.getBoundingClientRect();
    for (const { element: each, scrolls } of cutters(element)) {
      if (scrolls) break;
      const edge = each.getBoundingClientRect();
      if (text.left < edge.left - SLACK || text.right > edge.right + SLACK || text.top < edge.top - SLACK || text.bottom > edge.bottom + SLACK)
        return void say("cut off", nameOf(element), each === element ? "" : `by ${nameOf(each)}`);
    }
    if (!cutters(block).some((each) => each.scrolls && each.element === block) && (text.left < own.left - SLACK || text.right > own.right + SLACK))
      say("outside of its box", nameOf(element));
  }

  function checkRegion(element) {
    const { overflowX, overflowY } = style(element);
    const wide = element.scrollWidth > element.clientWidth + 1 && ["auto", "scroll"].includes(overflowX);
    const high = element.scrollHeight > element.clientHeight + 1 && ["auto", "scroll"].includes(overflowY);
    if ((wide || high) && element.tabIndex < 0 && !element.querySelector(`${CONTROLS}, [tabindex="0"]`)) say("cannot be scrolled by keyboard", nameOf(element));
  }

  function checkSelect(select) {
    const pen = document.createElement("canvas").getContext("2d");
    const { font, paddingLeft, paddingRight } = style(select);
    pen.font = font;
    const width = pen.measureText(select.selectedOptions[0]?.text ?? "").width + parseFloat(paddingLeft) + parseFloat(paddingRight) + 16;
    if (width > select.clientWidth + 2) say("cut off", `select "${select.labels[0]?.textContent}": ${select.selectedOptions[0].text}`);
  }

  /** A field is reached by its label as well. */
  function targetBox(element) {
    const own = element.getBoundingClientRect();
    if (!["checkbox", "radio"].includes(element.type)) return own;
    const boxes = [own, ...[...(element.labels ?? [])].map((each) => each.getBoundingClientRect())];
    const left = Math.min(...boxes.map((each) => each.left));
    const top = Math.min(...boxes.map((each) => each.top));
    return { width: Math.max(...boxes.map((each) => each.right)) - left, height: Math.max(...boxes.map((each) => each.bottom)) - top };
  }

  function checkTarget(element) {
    const isInText = element.tagName === "A" && style(element).display === "inline" && element.parentElement.textContent.trim() !== element.textContent.trim();
    const { width, height } = targetBox(element);
    if (!isInText && (width < SMALLEST - 0.5 || height < SMALLEST - 0.5)) say("target too small", nameOf(element), `${width.toFixed(0)} x ${height.toFixed(0)}`);
  }

  /** What stays while the rest scrolls may cover it, except what cannot be scrolled from under it. */
  function mayCover(first, second) {
    if (first.layer === second.layer) return false;
    if (first.layer && second.layer) return false;
    const edge = (first.layer ?? second.layer).getBoundingClientRect();
    const isLow = (edge.top + edge.bottom) / 2 > innerHeight / 2;
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    return !(isLow ? isAtEnd : scrollY === 0);
  }

  function checkOverlaps(kind, items) {
    items.forEach((first, place) => {
      for (const second of items.slice(place + 1)) {
        if (overlap(first, second) < 2 || first.element === second.element) continue;
        if (first.element.contains(second.element) || second.element.contains(first.element) || mayCover(first, second)) continue;
        say(`${kind} overlap`, nameOf(first.element), "and", nameOf(second.element));
      }
    });
  }

  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    const wide = [...document.querySelectorAll("main *")].filter((each) => isShown(each) && each.getBoundingClientRect().right > page.clientWidth + 1);
    say("scrolls sideways", `${page.scrollWidth} in ${page.clientWidth};`, wide.slice(-1).map(nameOf).join(", "));
  }
  const letters = texts();
  letters.forEach(checkText);
  for (const each of root.querySelectorAll("*")) if (isShown(each)) checkRegion(each);
  const controls = [...root.querySelectorAll(CONTROLS)].filter((each) => isShown(each) && !isUnread(each));
  controls.forEach(checkTarget);
  controls.filter((each) => each.tagName === "SELECT").forEach(checkSelect);
  const placed = (items) => items.map((each) => ({ ...each, layer: layerOf(each.element) })).filter((each) => !isEmpty(each));
  checkOverlaps("controls", placed(controls.map((element) => ({ element, ...visibleBox(element, box(element.getBoundingClientRect())) }))));
  const solid = [...root.querySelectorAll(".seat-box, .board, .pot, .side-pot, .bet, .dealer")].filter(isShown);
  checkOverlaps("things on the table", placed(solid.map((element) => ({ element, ...box(element.getBoundingClientRect()) }))));
  checkOverlaps("texts", placed(letters.map((each) => ({ element: each.element, ...visibleBox(each.element, each) }))));
  return [...found];
};
