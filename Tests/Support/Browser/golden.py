"""Golden images of the portal's pages: for each page a picture in which one pixel is the average color of 10 by 10
pixels, with all languages (rows), themes and widths (columns). As a program, it prints whether they can be compared."""
import base64, io, os, pathlib, subprocess, time
from PIL import Image, ImageChops
from portal import SHOTS, TOUCH_SCREENS, WIDTHS

FOLDER = pathlib.Path(__file__).parent / "Golden"
MADE_WITH = FOLDER / "made-with.txt"
RECORDS = os.environ.get("PHOTOLALA_RECORD_GOLDEN") == "1"
LANGUAGES = ["en", "de", "ja", "ko", "es"]
THEMES = ["light", "dark"]
BLOCK = 10
LOWEST, HIGHEST = 900, 1600
# Recorded colors are multiples of 2, so a change of a color by 9 of 255 is always found.
STEP, TOLERANCE, MOST_BLOCKS = 2, 7, 2
# A pale line of one pixel changes a block by about 3, in many blocks side by side.
LINE_TOLERANCE, LINE = 2, 12

# Dates, random codes, and sizes below 1 MB, which encoders choose, get the same text in every run. The style sheet stops
# what moves and hides the text cursor.
STEADY = r"""
const variable = [
  [/\p{Lu}\p{L}+ \d{1,2}, \d{4}/gu, "May 17, 2026"], [/\d{1,2}:\d{2}\s[AP]M/gu, "5:17 PM"],
  [/\d{1,2}\. \p{L}+\.? \d{4}/gu, "17. Mai 2026"], [/\d{1,2} de \p{L}+ de \d{4}/gu, "17 de mayo de 2026"],
  [/\d{1,2} \p{L}{3,4} \d{4}/gu, "17 may 2026"],
  [/\d{4}年\d{1,2}月\d{1,2}日/gu, "2026年5月17日"], [/\d{4}년 \d{1,2}월 \d{1,2}일/gu, "2026년 5월 17일"],
  [/(오전|오후) \d{1,2}:\d{2}/gu, "오후 5:17"], [/\b\d{1,2}:\d{2}\b(?!\s[AP]M)/gu, "17:17"],
  [/\b\d+\u00a0k?B\b/gu, "17\u00a0kB"]]
const framed = document.querySelector("iframe")?.contentDocument
for (const page of framed?.body ? [document, framed] : [document]) {
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  for (let node; node = texts.nextNode();) {
    const code = node.parentElement.closest("code")
    const steady = code ? node.data.replace(/[0-9A-Za-z]/g, "0")
      : variable.reduce((text, each) => text.replace(...each), node.data)
    if (node.data !== steady) node.data = steady
  }
  for (const date of page.querySelectorAll("[data-short]")) date.dataset.short = "May 17"
  // Dates of this year have no year.
  for (const date of page.querySelectorAll("[data-again]")) date.dataset.again = "May 17"
  for (const date of page.querySelectorAll(".grid h3 > span")) date.textContent = "May 17"
  for (const month of page.querySelectorAll("#timeline > section > h2, .month")) month.textContent = "May 2026"
}
for (const address of document.querySelectorAll("input[readonly]")) {
  address.value = address.value.replace(/[-_0-9A-Za-z]/g, "0")
}
if (!window.steady) {
  window.steady = new CSSStyleSheet()
  steady.replaceSync(`*, ::before, ::after {
    transition: none !important; animation: none !important; caret-color: transparent !important }`)
  document.adoptedStyleSheets.push(steady)
}
"""
# Ends when the pictures in the window have loaded and two frames were drawn.
DRAWN = r"""
const done = arguments[0], end = Date.now() + 10000
const isReady = image => image.complete || image.getBoundingClientRect().top > innerHeight || !image.checkVisibility()
const wait = () => Date.now() < end && ![...document.images].every(isReady) ? setTimeout(wait, 50)
  : document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))
wait()
"""


def made_with():
    """Returns the browser's major version and the fonts that it uses, one a line."""
    version = subprocess.run(["chromium", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    lines = [f"Chromium {version.split('.')[0]}"]
    for pattern in ["system-ui", "system-ui:bold", "system-ui:lang=ja", "system-ui:lang=ko", "monospace"]:
        font = subprocess.run(["fc-match", "-f", "%{family[0]} %{style[0]}, version %{fontversion}", pattern],
                              check=True, capture_output=True, text=True).stdout
        lines.append(f"{pattern}: {font}")
    return lines


class Golden:
    def __init__(self):
        self.made_with = made_with()
        self.recorded_with = MADE_WITH.read_text().splitlines() if MADE_WITH.exists() else []
        # Other fonts give all texts other widths.
        self.is_compared = not RECORDS and self.made_with[1:] == self.recorded_with[1:]
        # Other versions of the browser may draw all edges a little differently.
        self.finds_lines = RECORDS or self.made_with == self.recorded_with
        self.sheets, self.changed, self.found = {}, set(), []

    def look(self, browser, page, language):
        """Saves screenshots of a page in all widths and themes, and compares or records them."""
        driver = browser.driver
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 0, "y": 0})
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        for width, pixels in WIDTHS.items():
            browser.touch(width in TOUCH_SCREENS)
            for theme in THEMES:
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                    {"name": "prefers-color-scheme", "value": theme},
                    {"name": "prefers-reduced-motion", "value": "reduce"}]})
                self.look_at(driver, page, (language, theme, width), pixels)
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": False})

    def look_at(self, driver, page, variant, pixels):
        height = resize(driver, pixels, LOWEST)
        # The whole page is shown, up to a limit.
        if height > LOWEST:
            height = resize(driver, pixels, min(height, HIGHEST))
        expected = self.sheet(page).crop(place(variant))
        # While few pages differ, each of them gets time to change.
        patience = 3 if len(self.found) < 10 else 0
        last, start = None, time.monotonic()
        while True:
            driver.execute_async_script(DRAWN)
            data, picture = screenshot(driver)
            blocks = reduced(picture)
            differing = self.differing(expected, blocks)
            is_steady = last is not None and not differences(last, blocks, TOLERANCE).getbbox()
            late = time.monotonic() - start
            if not differing or is_steady and (RECORDS or late > patience) or late > 30:
                break
            last = blocks
            driver.execute_script(STEADY)
        language, theme, width = variant
        name = f"{page}-{language}-{width}-{theme}"
        pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
        pathlib.Path(SHOTS, f"{name}.png").write_bytes(data)
        if differing and RECORDS:
            self.sheets[page].paste(stored(blocks), place(variant))
            self.changed.add(page)
        elif differing and self.is_compared:
            count = differing.histogram()[255]
            left, top, right, bottom = (edge * BLOCK for edge in differing.getbbox())
            file = explain(name, expected, picture, differing)
            self.found.append(f"{page}, {width}, {theme}, {language}: {count} blocks differ, "
                              f"within {left}, {top} and {right}, {bottom}: {file}")

    def differing(self, expected, blocks):
        """Returns a mask of the blocks that differ, nothing if they are too few."""
        strong = differences(expected, blocks, TOLERANCE)
        if strong.histogram()[255] > MOST_BLOCKS:
            return strong
        faint = differences(expected, blocks, LINE_TOLERANCE)
        return faint if self.finds_lines and has_line(faint) else None

    def check_line(self, driver, rule):
        """Checks that a pale line of the page is missed without the rule of the style sheet that draws it."""
        driver.execute_script(STEADY)
        before = reduced(screenshot(driver)[1])
        assert not self.differing(stored(before), before), "a page differs from itself"
        driver.execute_script("steady.insertRule(arguments[0])", rule)
        after = reduced(screenshot(driver)[1])
        driver.execute_script("steady.deleteRule(0)")
        assert not self.finds_lines or self.differing(stored(before), after), "a vanished line is not found"

    def sheet(self, page):
        if page not in self.sheets:
            file = FOLDER / f"{page}.webp"
            self.sheets[page] = Image.open(file).convert("RGB") if file.exists() else Image.new(
                "RGB", (len(THEMES) * sum(WIDTHS.values()) // BLOCK, len(LANGUAGES) * HIGHEST // BLOCK))
        return self.sheets[page]

    def finish(self):
        """Fails if a page differs, or writes the files of the pages that differ."""
        surplus = [file for file in sorted(FOLDER.glob("*.webp")) if file.stem not in self.sheets]
        if RECORDS:
            FOLDER.mkdir(exist_ok=True)
            for file in surplus:
                file.unlink()
            for page in self.changed:
                self.sheets[page].save(FOLDER / f"{page}.webp", lossless=True, quality=100, method=6)
            MADE_WITH.write_text("\n".join(self.made_with) + "\n")
        elif self.is_compared:
            found = self.found + [f"{file.name} belongs to no page" for file in surplus]
            versions = "" if self.made_with == self.recorded_with else (
                f"The golden images were made with {self.recorded_with[0]}, this is {self.made_with[0]}.\n")
            assert not found, f"{versions}{len(found)} pictures differ from {FOLDER}:\n" + "\n".join(found)


def place(variant):
    """Returns the rectangle of a language, theme and width in a page's sheet."""
    language, theme, width = variant
    names = list(WIDTHS)
    before = THEMES.index(theme) * sum(WIDTHS.values()) + sum(WIDTHS[name] for name in names[:names.index(width)])
    left, top = before // BLOCK, LANGUAGES.index(language) * HIGHEST // BLOCK
    return (left, top, left + WIDTHS[width] // BLOCK, top + HIGHEST // BLOCK)


def resize(driver, width, height):
    """Returns the height of the page in a window of this size, with steady texts."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    return driver.execute_script(STEADY + "return document.documentElement.scrollHeight")


def screenshot(driver):
    """Returns the file and its pixels."""
    data = base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", {"optimizeForSpeed": True})["data"])
    return data, Image.open(io.BytesIO(data)).convert("RGB")


def reduced(picture):
    """Returns the average color of each block. Black follows below the page."""
    whole = Image.new("RGB", (picture.width, HIGHEST))
    whole.paste(picture)
    return whole.reduce(BLOCK)


def stored(blocks):
    """Returns the colors with which blocks are recorded."""
    return blocks.point(lambda value: min(255, (value + STEP // 2) // STEP * STEP))


def differences(expected, blocks, tolerance):
    """Returns a mask of the blocks that differ by more than a tolerance."""
    red, green, blue = ImageChops.difference(expected, blocks).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: 255 * (value > tolerance))


def has_line(mask):
    """Returns whether a mask has enough blocks side by side or one below another."""
    for each in (mask, mask.transpose(Image.Transpose.TRANSPOSE)):
        data, width = each.tobytes(), each.width
        if any(b"\xff" * LINE in data[start:start + width] for start in range(0, len(data), width)):
            return True
    return False


def explain(name, expected, picture, differing):
    """Writes the golden image, the screenshot, and the screenshot with differing blocks in red. Returns the file."""
    size = (expected.width * BLOCK, picture.height)
    whole = (size[0], HIGHEST)
    mask = differing.resize(whole, Image.Resampling.NEAREST).crop((0, 0, *size))
    red = Image.blend(picture, Image.new("RGB", size, "red"), 0.6)
    result = Image.new("RGB", (size[0] * 3 + 20, size[1]), "gray")
    result.paste(expected.resize(whole, Image.Resampling.NEAREST).crop((0, 0, *size)), (0, 0))
    result.paste(picture, (size[0] + 10, 0))
    result.paste(Image.composite(red, picture, mask), (size[0] * 2 + 20, 0))
    file = pathlib.Path(SHOTS) / "differences" / f"{name}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    result.save(file)
    return file


if __name__ == "__main__":
    golden = Golden()
    if RECORDS:
        print(f"Recording golden images in {FOLDER}")
    elif not golden.is_compared:
        print("Golden images are not compared, because the fonts differ. Here:", *golden.made_with[1:],
              "Recorded:", *golden.recorded_with[1:], sep="\n  ")
