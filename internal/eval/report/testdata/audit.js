// Looks at the page as it is laid out, and returns what is wrong with it and how much was looked at.
(() => {
  const problems = [];
  const looked = { texts: 0, plots: 0, plotTexts: 0, contrasts: 0, labels: 0, cells: 0, pairs: 0 };
  const width = document.documentElement.clientWidth;
  const say = (what, text) => problems.push(`${what}: ${text.trim().slice(0, 60)}`);
  const slack = 1; // of a pixel, for rounding

  if (document.documentElement.scrollWidth > width) {
    say(`the page is ${document.documentElement.scrollWidth} wide on ${width}`, '');
  }

  // Heads of tables that are shown as blocks are only for those who have the page read to them.
  const hidden = (el) => {
    const head = el.closest('thead');
    return head && getComputedStyle(head).position === 'absolute';
  };

  // Nothing is wider than the box that it is in.
  for (const el of document.body.querySelectorAll('*')) {
    if (el.closest('svg') || hidden(el) || el.clientWidth === 0) continue;
    if (el.scrollWidth > el.clientWidth + slack) say(`<${el.tagName}> is cut off or sticks out`, el.textContent);
  }

  // All texts that are shown, each line of them with its place.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!node.data.trim() || el.closest('title, desc, style, script') || hidden(el)) continue;
    const svg = el.closest('svg');
    let rects;
    if (svg) {
      rects = [el.getBoundingClientRect()];
    } else {
      const range = document.createRange();
      range.selectNodeContents(node);
      rects = [...range.getClientRects()];
    }
    rects = rects.filter((r) => r.width > 0 && r.height > 0);
    if (!rects.length) continue;
    looked.texts++;
    contrast(el, getComputedStyle(el)[svg ? 'fill' : 'color'], node.data);
    if (svg) {
      looked.plotTexts++;
      const size = parseFloat(getComputedStyle(el).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
      if (size < (matchMedia('print').matches ? 9 : 10.5)) say(`text of a plot is ${size} pixels high`, node.data);
    }
    const box = svg ? svg.getBoundingClientRect() : { left: 0, right: width, top: -Infinity, bottom: Infinity };
    for (const r of rects) {
      if (r.left < box.left - slack || r.right > box.right + slack || r.top < box.top - slack || r.bottom > box.bottom + slack) {
        say(svg ? 'a text is outside its plot' : 'a text is outside the page', node.data);
      }
      lines.push({ node, el, text: node.data, left: r.left, right: r.right, top: r.top, bottom: r.bottom });
    }
  }

  // No two overlap. A line's box is higher than its letters, so a pixel at its top and foot does not count.
  lines.sort((a, b) => a.top - b.top);
  for (let i = 0; i < lines.length; i++) {
    for (let k = i + 1; k < lines.length && lines[k].top < lines[i].bottom - 2 * slack; k++) {
      looked.pairs++;
      const a = lines[i], b = lines[k];
      if (a.node !== b.node && a.left < b.right - slack && b.left < a.right - slack) say('two texts overlap', `${a.text.trim()} / ${b.text.trim()}`);
    }
  }

  // The names of columns beside figures, where tables are shown as blocks.
  for (const el of document.querySelectorAll('[data-label]')) {
    if (!el.getClientRects().length) continue;
    looked.cells++;
    const before = getComputedStyle(el, '::before');
    if (before.content === 'none') continue;
    looked.labels++;
    contrast(el, before.color, el.dataset.label);
    if (parseFloat(before.width) > el.clientWidth + slack) say('the name of a column is cut off', el.dataset.label);
  }

  // One drawing of each plot.
  for (const figure of document.querySelectorAll('figure')) {
    const shown = [...figure.querySelectorAll('svg')].filter((svg) => svg.getClientRects().length);
    looked.plots += shown.length;
    if (shown.length !== 1) say(`${shown.length} drawings of a plot are shown`, figure.textContent);
    for (const svg of shown) {
      const title = document.getElementById(svg.getAttribute('aria-labelledby'));
      const desc = document.getElementById(svg.getAttribute('aria-describedby'));
      if (svg.getAttribute('role') !== 'img' || !title?.textContent || !desc?.textContent) say('a plot without a text', svg.textContent);
    }
  }

  // Headings in order, tables with captions and scopes.
  let level = 0;
  for (const h of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const next = Number(h.tagName[1]);
    if (next > level + 1 || (next === 1 && level)) say('a heading out of order', h.textContent);
    level = next;
  }
  for (const table of document.querySelectorAll('table')) {
    if (!table.caption?.textContent) say('a table without a caption', table.textContent);
    if (table.querySelector('th:not([scope])')) say('a th without a scope', table.textContent);
  }
  const ids = [...document.querySelectorAll('[id]')].map((el) => el.id);
  if (new Set(ids).size !== ids.length) say('an id twice', ids.join(' '));
  if (!document.documentElement.lang || !document.title) say('no language or no title', '');

  // Contrast as WCAG 2.2 defines it.
  function contrast(el, color, text) {
    looked.contrasts++;
    const of = luminance(rgb(color)), on = luminance(paper(el));
    const ratio = (Math.max(of, on) + 0.05) / (Math.min(of, on) + 0.05);
    if (!(ratio >= 4.5)) say(`contrast ${ratio.toFixed(2)} of ${color} on ${paper(el)}`, text);
  }
  function rgb(color) {
    const parts = color.match(/[\d.]+/g)?.map(Number) ?? [];
    return color.startsWith('rgb') && (parts.length === 3 || parts[3] === 1) ? parts.slice(0, 3) : [NaN, NaN, NaN];
  }
  function paper(el) {
    for (let at = el; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\)$/.test(color)) return rgb(color);
    }
    return [255, 255, 255];
  }
  function luminance(parts) {
    const [r, g, b] = parts.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  return { problems: [...new Set(problems)], looked };
})()
