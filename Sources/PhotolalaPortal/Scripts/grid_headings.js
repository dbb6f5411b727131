// The title above months that share rows: that of the topmost photo in view. The browser itself reports the rows that pass
// the top, so that scrolling needs no measures.

export class GridHeadings {
  #observer;
  #runs = [];

  /** Observes successive flows of short months, or the same ones after the width has changed. */
  begin(runs = this.#runs) {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#runs = runs;
    if (runs.length === 0) return;
    const [{ label }] = runs;
    // The title covers the rows that end above its lower edge.
    const covered = parseFloat(getComputedStyle(label).insetBlockStart) + label.offsetHeight;
    // What is below the window counts as not yet passed.
    const rootMargin = `${-Math.ceil(covered)}px 0px 10000000px`;
    this.#observer = new IntersectionObserver(entries => this.#pass(entries), { root: document, rootMargin });
    for (const run of runs) {
      for (const flow of run.flows) {
        flow.passed = [];
        this.#observer.observe(flow);
      }
    }
  }

  /** Observes the rows of a flow after which one of another month begins. */
  watch(flow) {
    if (!flow.passed || !this.#observer) return;
    for (const item of flow.passed) this.#observer.unobserve(item);
    const starts = Array.from(flow.querySelectorAll("li.start"));
    flow.passed = starts.filter((item, row) => starts[row + 1] && sectionOf(starts[row + 1]) !== sectionOf(item));
    flow.last = starts.at(-1);
    for (const item of flow.passed) {
      item.isPast = false;
      this.#observer.observe(item);
    }
    this.#show(flow.parentElement);
  }

  #pass(entries) {
    const runs = new Set();
    for (const { target, isIntersecting } of entries) {
      if (!target.isConnected) continue;
      target.isPast = !isIntersecting;
      runs.add(target.closest(".run"));
    }
    for (const run of runs) this.#show(run);
  }

  #show(run) {
    const flow = run?.flows.find(each => !each.isPast);
    if (!flow) return;
    // Of photos that are not loaded, the first month is shown.
    const row = flow.passed.find(item => item.isConnected && !item.isPast) ?? (flow.last?.isConnected ? flow.last : flow);
    const title = (row === flow ? flow.querySelector("section") : sectionOf(row)).querySelector("h2").textContent;
    if (run.label.textContent !== title) run.label.textContent = title;
  }
}

function sectionOf(item) {
  return item.closest("section");
}
