// The page is whole without this: it only shows the numbers behind a line that is pointed at, and changes the theme.
"use strict";
(() => {
  const show = (x) => {
    const size = Math.abs(x);
    if (size !== 0 && (size >= 1e9 || size < 1e-4)) return x.toExponential(3);
    return x.toLocaleString("en", { maximumSignificantDigits: size >= 1e5 ? 7 : 5 });
  };

  // From values to pixels of the picture.
  const along = ([low, high, log], value) =>
    log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const placed = (view, point, dodge) => ({
    x: view.left + view.width * along(view.x, point[0]) + dodge,
    y: view.top + view.height * (1 - along(view.y, point[1])),
  });
  const isInside = (view, { x, y }) =>
    x >= view.left - 1 && x <= view.left + view.width + 1 && y >= view.top - 1 && y <= view.top + view.height + 1;

  // Of a point to a piece of a line.
  const distance = (p, a, b) => {
    const dx = b.x - a.x, dy = b.y - a.y;
    const length = dx * dx + dy * dy;
    const share = length > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    return Math.hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
  };

  // A figure: the label that stands out in all of its panels and in the legend.
  class Figure {
    constructor(element) {
      this.element = element;
      this.data = JSON.parse(element.querySelector("script").textContent);
      this.held = null;
      this.said = document.createElement("div");
      this.said.className = "unseen";
      this.said.setAttribute("aria-live", "polite");
      element.append(this.said);
      element.querySelectorAll(".panel").forEach((svg, i) => new Picture(this, svg, this.data.views[i]));
      element.querySelectorAll(".legend li").forEach((item) => this.listen(item));
    }

    listen(item) {
      const label = Number(item.dataset.l);
      item.tabIndex = 0;
      item.setAttribute("role", "button");
      item.setAttribute("aria-pressed", "false");
      item.addEventListener("pointerenter", () => this.point(label));
      item.addEventListener("pointerleave", () => this.point(null));
      item.addEventListener("focus", () => this.point(label));
      item.addEventListener("blur", () => this.point(null));
      item.addEventListener("click", () => this.hold(label));
      item.addEventListener("keydown", (event) => {
        if (event.key === "Escape") this.hold(this.held);
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.hold(label);
      });
    }

    hold(label) {
      this.held = this.held === label ? null : label;
      this.element.querySelectorAll(".legend li").forEach((item) =>
        item.setAttribute("aria-pressed", String(Number(item.dataset.l) === this.held)));
      this.point(this.held);
    }

    point(label) {
      const shown = label ?? this.held;
      this.element.classList.toggle("pointed", shown !== null);
      this.element.querySelectorAll("[data-l]").forEach((part) =>
        part.classList.toggle("on", Number(part.dataset.l) === shown));
    }
  }

  // One panel: what is nearest to the pointer, or where the arrow keys went.
  class Picture {
    constructor(figure, svg, view) {
      Object.assign(this, { figure, svg, view });
      this.lines = figure.data.panels[view.panel]
        .map((line, i) => ({
          label: line.l,
          points: line.points
            .filter((p) => !(view.x[2] && p[0] <= 0) && !(view.y[2] && p[1] <= 0))
            .map((p) => ({ point: p, ...placed(view, p, view.dodge[i]) })),
        }))
        .filter((line) => line.points.some((p) => isInside(view, p)));
      this.at = null;
      svg.setAttribute("tabindex", "0");
      svg.addEventListener("pointermove", (event) => this.follow(event));
      svg.addEventListener("pointerdown", (event) => this.follow(event));
      // A finger that is lifted leaves what it pointed at; the next touch elsewhere takes it away.
      svg.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.leave(); });
      svg.addEventListener("blur", () => this.leave());
      svg.addEventListener("keydown", (event) => this.walk(event));
    }

    follow(event) {
      const corner = this.svg.getScreenCTM().inverse();
      const mouse = new DOMPoint(event.clientX, event.clientY).matrixTransform(corner);
      const reach = 40;
      let best = null, least = reach;
      this.lines.forEach((line, number) => {
        line.points.forEach((a, i) => {
          const far = distance(mouse, a, line.points[i + 1] ?? a);
          if (far < least) [best, least] = [number, far];
        });
      });
      if (best === null) { this.leave(); return; }
      const to = (p) => Math.hypot(p.x - mouse.x, (p.y - mouse.y) / 4);
      const points = this.lines[best].points;
      let nearest = -1;
      points.forEach((p, i) => {
        if (isInside(this.view, p) && (nearest < 0 || to(p) < to(points[nearest]))) nearest = i;
      });
      this.tell(best, nearest, false);
    }

    walk(event) {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      if (event.key === "Escape") { this.leave(); return; }
      const step = steps[event.key];
      if (!step || this.lines.length === 0) return;
      event.preventDefault();
      if (this.at === null) {
        this.tell(0, this.inside(0).at(-1), true);
        return;
      }
      const [line, point] = this.at;
      if (step[0] !== 0) {
        // Another line, at about the same x.
        const next = (line + step[0] + this.lines.length) % this.lines.length;
        const x = this.lines[line].points[point].x;
        const off = (i) => Math.abs(this.lines[next].points[i].x - x);
        this.tell(next, this.inside(next).reduce((a, b) => (off(b) < off(a) ? b : a)), true);
      } else {
        const known = this.inside(line);
        const to = Math.min(known.length - 1, Math.max(0, known.indexOf(point) + step[1]));
        this.tell(line, known[to], true);
      }
    }

    // The numbers of a line's points that are in the frame.
    inside(line) {
      return this.lines[line].points.flatMap((p, i) => (isInside(this.view, p) ? [i] : []));
    }

    tell(line, number, aloud) {
      if (number < 0) { this.leave(); return; }
      this.at = [line, number];
      const { label, points } = this.lines[line];
      const { point: [x, y, lo, hi], x: left, y: top } = points[number];
      const { data } = this.figure;
      this.mark(left, top);
      const rows = [`${data.x} ${show(x)}`, `${data.y} ${show(y)}`];
      if (lo !== undefined && hi > lo) rows.push(`95%: ${show(lo)} to ${show(hi)}`);
      this.tip ??= this.svg.parentElement.appendChild(Object.assign(document.createElement("div"), { className: "tip" }));
      const name = document.createElement("b");
      name.textContent = data.labels[label];
      this.tip.replaceChildren(name, ...rows.map((row) => Object.assign(document.createElement("div"), { textContent: row })));
      this.place(left, top);
      this.figure.point(label);
      if (aloud) this.figure.said.textContent = [data.labels[label], ...rows].join(", ");
    }

    mark(x, y) {
      if (!this.ring) {
        this.ring = document.createElementNS(this.svg.namespaceURI, "circle");
        this.ring.setAttribute("class", "here");
        this.ring.setAttribute("r", "7");
        this.svg.append(this.ring);
      }
      this.ring.setAttribute("cx", x);
      this.ring.setAttribute("cy", y);
    }

    // Beside the point, on the side that has more room.
    place(x, y) {
      const box = this.svg.getBoundingClientRect();
      const scale = box.width / this.svg.viewBox.baseVal.width;
      const tip = this.tip.getBoundingClientRect();
      const left = x * scale > box.width / 2 ? x * scale - tip.width - 14 : x * scale + 14;
      const top = y * scale - tip.height - 10;
      this.tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.width))}px`;
      this.tip.style.top = `${top < 0 ? y * scale + 14 : top}px`;
    }

    leave() {
      if (this.at === null) return;
      this.at = null;
      this.tip?.remove();
      this.ring?.remove();
      this.tip = this.ring = null;
      this.figure.point(null);
    }
  }

  document.querySelectorAll(".picture").forEach((element) => new Figure(element));
  document.querySelectorAll(".scripted").forEach((element) => { element.hidden = false; });

  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector(".theme");
  const theme = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const other = () => (theme() === "dark" ? "light" : "dark");
  const label = () => { button.textContent = other(); button.setAttribute("aria-label", `change to ${other()} colours`); };
  button.addEventListener("click", () => { root.dataset.theme = other(); label(); });
  dark.addEventListener("change", label);
  button.hidden = false;
  label();
})();
