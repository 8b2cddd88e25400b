// Returns what the page says, as it is in its document.
(() => {
  const text = (el) => el?.textContent.trim() ?? '';
  const plot = (svg) => [...svg.querySelectorAll('circle')].map((c) => ({
    x: Number(c.getAttribute('cx')), y: Number(c.getAttribute('cy')), text: text(c.querySelector('title')),
  }));
  return {
    title: document.title,
    answer: text(document.querySelector('.answer')),
    interrupted: document.querySelector('.notice') !== null,
    facts: Object.fromEntries([...document.querySelectorAll('.facts div')].map((d) => [text(d.querySelector('dt')), text(d.querySelector('dd'))])),
    left: [...document.querySelectorAll('.left li')].map(text),
    summary: [...document.querySelectorAll('.verdicts li')].map((li) => [text(li.querySelector('.badge')), text(li.querySelector('a'))]),
    sections: [...document.querySelectorAll('main section')].map((section) => ({
      id: section.id,
      verdict: text(section.querySelector('.verdict')),
      no: section.querySelector('.verdict').classList.contains('no'),
      notes: [...section.querySelectorAll('.notes li')].map(text),
      plots: Object.fromEntries([...section.querySelectorAll('svg.desk')].map((svg) => [svg.getAttribute('aria-labelledby').replace('-desk-title', ''), plot(svg)])),
      tables: [...section.querySelectorAll('table')].map((table) => ({
        caption: text(table.caption),
        head: [...table.tHead.rows[0].cells].map(text),
        rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map(text)),
      })),
    })),
  };
})()
