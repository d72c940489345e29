// What a person would call broken on a page at its present width: one line for each fault.
() => {
  const faults = [];
  const note = (kind, element, more = "") => {
    const name = `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
    const text = (element.textContent || element.value || "").trim().replace(/\s+/g, " ").slice(0, 40);
    faults.push(`${kind} ${name} "${text}" ${more}`.trim());
  };
  const width = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth;
  if (wide > width) {
    const beyond = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > width + 1 && element.checkVisibility(),
    );
    note("sideways", beyond.at(-1) || document.body, `${wide} of ${width} px`);
  }

  // Words, one rectangle a line, with the block that they flow in.
  const styles = new Map();
  const style = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const above = (element, holds) => {
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) if (holds(at)) return at;
    return null;
  };
  const apart = (element) =>
    above(element, (at) => ["fixed", "sticky", "absolute"].includes(style(at).position) || style(at).clipPath === "inset(50%)");
  const rolls = (element) => above(element, (at) => ["auto", "scroll"].includes(style(at).overflowX));
  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || !owner.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (["SCRIPT", "STYLE", "NOSCRIPT", "OPTION", "TEXTAREA"].includes(owner.tagName) || apart(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1);
    if (lines.length) pieces.push({ node, owner, lines });
  }

  // Words of the page that reach into its foot: something is higher than the box that should hold it.
  const foot = document.querySelector("footer.foot")?.getBoundingClientRect().top ?? Infinity;
  for (const { owner, lines } of pieces)
    if (owner.closest("main") && !rolls(owner) && lines.some((line) => line.bottom > foot + 1)) note("in the foot", owner);

  // A column narrower than eight characters: text broken into lines because there is no room for a word.
  for (const { node, owner, lines } of pieces) {
    if (lines.length < 2) continue;
    const block = above(owner, (at) => !["inline", "contents"].includes(style(at).display));
    const padding = parseFloat(style(block).paddingLeft) + parseFloat(style(block).paddingRight);
    const room = block.clientWidth - padding;
    const character = parseFloat(style(owner).fontSize) / 2;
    if (node.data.trim().length >= 8 && room < 8 * character) note("crushed", owner, `${Math.round(room)} px`);
  }

  // Words beyond the edge of what they are in: a button, a cell, a box that hides what is too much.
  for (const { owner, lines } of pieces) {
    const box = above(owner, (at) => at.matches("button, .button, .chip, .paid, th, td, summary, label, .tabs a, .pills a"));
    const edge = (box || owner).getBoundingClientRect();
    if (box && !rolls(owner) && lines.some((line) => line.right > edge.right + 1 || line.left < edge.left - 1)) note("clipped", box);
    const hides = above(owner, (at) => ["hidden", "clip"].includes(style(at).overflowX));
    if (hides && hides !== document.body && hides.scrollWidth > hides.clientWidth + 1) note("clipped", hides);
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const select of document.querySelectorAll("select:not([multiple])")) {
    if (!select.checkVisibility() || !select.selectedOptions.length) continue;
    const own = style(select);
    pen.font = own.font;
    const room = select.clientWidth - parseFloat(own.paddingLeft) - parseFloat(own.paddingRight);
    const needed = pen.measureText(select.selectedOptions[0].text).width;
    if (needed > room + 1) note("clipped", select, `${select.selectedOptions[0].text}: ${Math.round(needed)} of ${Math.round(room)} px`);
  }

  // Words on words, and words on something to press or to look at.
  const boxes = pieces.flatMap(({ owner, lines }) => lines.map((line) => ({ owner, line, isText: true })));
  for (const owner of document.body.querySelectorAll("input:not([type=hidden]), select, textarea, button, .button, img, .logo, .avatar")) {
    const line = owner.getBoundingClientRect();
    const isSeen = owner.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (isSeen && line.width > 2 && line.height > 2 && !apart(owner)) boxes.push({ owner, line, isText: false });
  }
  boxes.sort((one, other) => one.line.top - other.line.top);
  const told = new Set();
  boxes.forEach((one, number) => {
    for (let next = number + 1; next < boxes.length && boxes[next].line.top < one.line.bottom; next += 1) {
      const other = boxes[next];
      if (one.owner === other.owner || one.owner.contains(other.owner) || other.owner.contains(one.owner)) continue;
      if (rolls(one.owner) !== rolls(other.owner)) continue;
      const across = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left);
      const down = Math.min(one.line.bottom, other.line.bottom) - other.line.top;
      const least = one.isText && other.isText ? 0.4 * Math.min(one.line.height, other.line.height) : 3;
      if (across <= 2 || down <= least || told.has(other.owner)) continue;
      told.add(other.owner);
      note("overlaps", other.owner, `on "${(one.owner.textContent || one.owner.name || "").trim().slice(0, 30)}"`);
    }
  });

  // A dot that parts two things, with nothing before it on its line.
  for (const { node, owner } of pieces) {
    for (let at = node.data.indexOf("·"); at >= 0; at = node.data.indexOf("·", at + 1)) {
      const dot = document.createRange();
      dot.setStart(node, at);
      dot.setEnd(node, at + 1);
      const own = dot.getBoundingClientRect();
      const block = above(owner, (one) => !["inline", "contents"].includes(style(one).display));
      const inside = block.getBoundingClientRect();
      if (own.width && own.left - inside.left - parseFloat(style(block).paddingLeft) < 2) note("dot", owner);
    }
  }
  for (const item of document.querySelectorAll(".meta > *")) {
    const dot = getComputedStyle(item, "::before");
    if (!item.checkVisibility() || !dot.content.includes("·")) continue;
    const list = item.parentElement;
    const hidden = parseFloat((style(list).clipPath.match(/inset\(.* ([\d.]+)px\)/) || [])[1] || 0);
    const from = item.getBoundingClientRect().left - list.getBoundingClientRect().left;
    const isFirst = from < 2;
    if (isFirst && from + parseFloat(dot.left) + parseFloat(dot.fontSize) * 0.3 > hidden) note("dot", item);
  }
  // A quote mark parted from the last word that it stands for.
  for (const mark of document.querySelectorAll("button.source")) {
    const block = above(mark.parentElement, (at) => !["inline", "contents"].includes(style(at).display));
    const inside = block.getBoundingClientRect();
    const own = mark.getBoundingClientRect();
    const isBelow = own.top > inside.top + parseFloat(style(block).paddingTop) + 8;
    if (own.width && isBelow && own.left - inside.left - parseFloat(style(block).paddingLeft) < 2) note("mark", block);
  }

  // What one reaches by the keyboard after what stands below it: on a phone one column is read from top to bottom.
  const stops = [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")].filter(
    (stop) => width < 500 && stop.checkVisibility({ visibilityProperty: true }) && !apart(stop) && !rolls(stop),
  );
  stops.slice(1).forEach((stop, number) => {
    const [own, former] = [stop, stops[number]].map((at) => at.getBoundingClientRect());
    const isBeside = own.left >= former.right || own.right <= former.left;
    if (!isBeside && own.bottom <= former.top) note("read too late", stop, `after "${stops[number].textContent.trim().slice(0, 30)}"`);
  });
  return [...new Set(faults)];
}
