// The rate of an upload over the last seconds, and the time that is left, in the page's language.

// Milliseconds over which the rate is measured, and between two measurements.
const span = 10_000;
const step = 500;

export class UploadRate {
  #samples = [];
  #bytes = 0;
  #language = document.documentElement.lang;

  /** Records bytes that were sent. */
  add(bytes) {
    this.#bytes += bytes;
    const now = performance.now();
    if (now - (this.#samples.at(-1)?.time ?? -step) < step) return;
    this.#samples.push({ time: now, bytes: this.#bytes });
    while (now - this.#samples[0].time > span) this.#samples.shift();
  }

  reset() {
    this.#samples = [];
  }

  /** Returns the rate and the time for the bytes that are left; empty without enough measurements or bytes. */
  text(left, template) {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (left <= 0 || !first || last.time - first.time < 2 * step || last.bytes <= first.bytes) return "";
    const rate = (last.bytes - first.bytes) / (last.time - first.time) * 1000;
    const seconds = Math.ceil(left / rate);
    const unit = seconds < 60 ? "second" : seconds < 3600 ? "minute" : "hour";
    const time = this.#format(Math.ceil(seconds / { second: 1, minute: 60, hour: 3600 }[unit]), unit, "long");
    const speed = rate < 1e6 ? this.#format(Math.round(rate / 1e3), "kilobyte-per-second", "short")
      : this.#format(Math.round(rate / 1e5) / 10, "megabyte-per-second", "short");
    return `${speed} · ${template.replace("{duration}", time)}`;
  }

  #format(number, unit, unitDisplay) {
    return new Intl.NumberFormat(this.#language, { style: "unit", unit, unitDisplay }).format(number);
  }
}
