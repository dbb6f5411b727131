"""A person's browser in the portal: Chromium, driven by the names of buttons and links."""
import os, pathlib, re, shutil, subprocess
import axe_playwright_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SERVER = os.environ["SERVER"]
SHOTS = os.environ.get("SCREENSHOTS")
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# The last one is that of a mouse.
WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1280}
TOUCH_SCREENS = {"phone", "tablet"}
# A headless browser has no mouse: these are `hover: hover` and `pointer: fine`.
MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
# The question over the page, and the notice on it, without one that only says that the page waits.
SHOWN = """return [document.querySelector("#question[open] h2"), document.querySelector(".toast:not(.waiting, [hidden])")]"""
# The names of the selected photos.
CHECKED = "return Array.from(document.querySelectorAll('.grid :checked'), each => each.name)"
# Finds the visible button or link with a text or with some lines and then others, or with a label or picture that has it
# as name.
NAMED = """const name = arguments[0]
return [...document.querySelectorAll("a, button")].find(element =>
    element.checkVisibility({ visibilityProperty: true }) && ([name, `${name}\n`].some((text, isPart) =>
        isPart ? element.innerText?.trim().startsWith(text) : element.innerText?.trim() === text)
        || (element.ariaLabel ?? element.querySelector("img")?.alt) === name))"""


def photolala(*arguments):
    """Runs the command line with a profile in the current folder, and returns its output."""
    return subprocess.run(
        [os.environ["PHOTOLALA"], *arguments, "--profile-dir", "device"], check=True, capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "HOME": os.getcwd()}).stdout


class Browser:
    def __init__(self, language="en", agent=None, blocks_cookies=False, proxy=None):
        options = webdriver.ChromeOptions()
        for argument in ["headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", f"lang={language}",
                         f"blink-settings={MOUSE}"]:
            options.add_argument(f"--{argument}")
        if agent:
            options.add_argument(f"--user-agent={agent}")
        if proxy:
            options.add_argument(f"--proxy-server=127.0.0.1:{proxy}")
            # Also requests to loopback addresses use the proxy.
            options.add_argument("--proxy-bypass-list=<-loopback>")
        preferences = {"intl.accept_languages": language}
        if blocks_cookies:
            preferences["profile.default_content_setting_values.cookies"] = 2
        # Third-party cookies are always blocked.
        preferences["profile.cookie_controls_mode"] = 1
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Found on the PATH and not by Selenium Manager, which would access the network.
        options.binary_location = shutil.which("chromium") or ""
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_window_size(WIDTHS["desktop"], 900)
        self.driver.set_page_load_timeout(60)
        self.seen = set()

    def go(self, path):
        self.driver.get(SERVER + path if path.startswith("/") else path)
        return self

    def named(self, name):
        """Returns the button or link with a name."""
        # Asking the browser for the name of each element takes seconds on a page of photos.
        found = self.stable(lambda: self.driver.execute_script(NAMED, name) or next((
            element for element in self.all("a, button") if name in (element.text.strip(), element.accessible_name)
        ), None))
        assert found, f"no {name!r} on {self.driver.current_url}:\n{self.text}"
        return found

    def wait(self, seconds=30):
        """Waits while the page may be replaced."""
        return WebDriverWait(
            self.driver, seconds, poll_frequency=0.1, ignored_exceptions=[StaleElementReferenceException])

    def stable(self, act):
        """Repeats an act while the page is replaced during it."""
        return self.wait().until(lambda _: (act(),))[0]

    def leave(self, name):
        """Presses a button or link and waits until the browser has left the server for an app's URL."""
        self.named(name).click()
        self.wait().until(lambda driver: not driver.current_url.startswith(SERVER))
        return self

    def arrives(self, path):
        """Waits for a page that opens without `press`."""
        self.wait().until(lambda driver: driver.current_url.startswith(SERVER + path))
        return self

    def leave_to(self, url):
        """Opens a URL that redirects to another server immediately."""
        try:
            self.driver.get(url)
        except WebDriverException as error:
            assert "ERR_CONNECTION_REFUSED" in str(error) or "ERR_UNSAFE_PORT" in str(error), error
        assert not self.driver.current_url.startswith(SERVER), self.driver.current_url
        return self

    def press(self, name):
        """Presses the button or link with a name and waits for the next page, or for another question or notice."""
        def click():
            old = [self.driver.find_element(By.TAG_NAME, "html"), *self.script(SHOWN)]
            self.named(name).click()
            return old

        def is_answered():
            now = [self.driver.find_element(By.TAG_NAME, "html"), *self.script(SHOWN)]
            return any(each and each != before for each, before in zip(now, old))

        old = self.stable(click)
        self.wait().until(lambda _: is_answered())
        # A dialog that is still transparent has no text for the driver.
        self.wait().until(lambda driver: driver.execute_script(
            "return (document.querySelector('#question')?.getAnimations() ?? []).every(each => each.playState === 'finished')"))
        self.wait().until(
            lambda driver: driver.execute_script("return document.readyState") == "complete")
        return self

    def menu(self, name):
        """Presses a button or link of the account menu."""
        self.named("Account and settings").click()
        return self.press(name)

    def fill(self, name, value):
        field = self.driver.find_element(By.NAME, name)
        field.clear()
        field.send_keys(value)
        return self

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text):
        return self.driver.execute_script(text)

    def bring(self, files):
        """Selects files for upload, like the system's file dialog."""
        self.driver.find_element(By.ID, "files").send_keys("\n".join(os.path.abspath(file) for file in files))
        return self

    def choose(self, number, shift=False):
        """
        Toggles the selection of a photo; with shift, of all photos between it and the previous one. If the page moves
        under the pointer, as people see it, what was hit instead is toggled back, and the photo is tried again.
        """
        def toggle():
            box = self.all(".grid input")[number]
            self.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", box)
            name, before = box.get_attribute("name"), set(self.script(CHECKED))
            keys = ActionChains(self.driver)
            (keys.key_down(Keys.SHIFT).click(box).key_up(Keys.SHIFT) if shift else keys.click(box)).perform()
            return name, before

        for _ in range(3):
            name, before = self.stable(toggle)
            hit = before ^ set(self.script(CHECKED))
            for other in () if shift else hit - {name}:
                self.script(f"document.querySelector('.grid input[name=\"{other}\"]').click()")
            if name in hit:
                return self
        raise AssertionError(f"photo {number} ({name}) is not hit, but {hit} on {self.path}:\n{self.text}")

    def until(self, holds, what="the condition does not become true"):
        try:
            self.wait(60).until(lambda _: holds())
        except TimeoutException:
            raise AssertionError(f"{what} on {self.path}:\n{self.text}") from None
        return self

    def pictures(self):
        """Returns the names of the grid's pictures after the visible ones have loaded."""
        visible = """return Array.from(document.querySelectorAll(".grid img")).filter(image => {
            const { top, bottom } = image.getBoundingClientRect(); return bottom > 0 && top < innerHeight })"""
        self.until(lambda: self.script(f"return (() => {{ {visible} }})().every(image => image.naturalWidth > 0)"),
                   "pictures do not load")
        return self.script("return Array.from(document.querySelectorAll('.grid img'), image => image.alt)")

    def moved(self):
        """Returns how far the parts of the page have moved since it opened (Cumulative Layout Shift)."""
        return self.driver.execute_async_script("""const done = arguments[0]
            let moved = 0
            const add = list => { for (const each of list.getEntries()) moved += each.value }
            new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true })
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved))))""")

    def touch(self, is_on):
        """Shows the page and the next ones as on a touch screen, or with a mouse."""
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_on})
        if not is_on:
            # The open page has lost its mouse. Chromium applies the browser's settings again for such a screenshot.
            self.driver.execute_cdp_cmd("Page.captureScreenshot", {
                "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1}})
        return self

    def lines(self, selector):
        return [line.text.replace("\n", " ") for line in self.all(selector + " > li")]

    def has_soon(self, text):
        return self.until(lambda: text in self.text, f"{text!r} does not appear")

    def blocks(self, *urls):
        """Blocks requests to these URLs until the next call."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(urls)})
        return self

    def slow(self, rate):
        """Limits uploads to a number of bytes a second; -1 ends the limit."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate})
        return self

    def script_is_off(self, is_off):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": is_off})
        return self

    def card(self, name):
        """Returns the only list item with a text."""
        cards = [card for card in self.driver.find_elements(By.CSS_SELECTOR, ".cards > li") if name in card.text]
        assert len(cards) == 1, f"{len(cards)} cards with {name!r}:\n{self.text}"
        return cards[0]

    @property
    def text(self):
        """What is to be read: of a page with an open dialog, the dialog."""
        return self.script("return (document.querySelector('dialog[open]') ?? document.querySelector('main'))").text

    @property
    def title(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    @property
    def photo(self):
        """The name of the file whose page is shown: the second part of the page's title."""
        return "".join(self.driver.title.split(" · ")[1:2])

    @property
    def path(self):
        return self.driver.current_url.removeprefix(SERVER)

    def has(self, *texts):
        for text in texts:
            assert text in self.text, f"{text!r} is not on {self.path}:\n{self.text}"
        return self

    def has_not(self, *texts):
        for text in texts:
            assert text not in self.text, f"{text!r} is on {self.path}:\n{self.text}"
        return self

    def is_at(self, path):
        assert path in (self.path.split("?")[0], re.split("[?#]", self.path)[0]), f"{self.path}, expected {path}:\n{self.text}"
        return self

    def check(self, name, schemes=("light", "dark"), shots=SHOTS):
        """Checks accessibility with axe and the layout at all widths and directions, and saves screenshots."""
        # What is still transparent has another contrast. Some animations follow the scrolling, and some have no end.
        self.until(lambda: self.script("""return document.getAnimations().every(each =>
            each.playState !== "running" || each.timeline !== document.timeline
            || each.effect.getComputedTiming().endTime === Infinity)"""), "an animation does not end")
        for number, scheme in enumerate(schemes):
            self.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            if number == 0:
                self.driver.execute_script(AXE)
            # Only colors depend on the scheme.
            rules = {} if number == 0 else {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
            found = self.driver.execute_async_script("axe.run(arguments[0]).then(arguments[1])", rules)["violations"]
            assert not found, f"{name} ({scheme}): " + "; ".join(
                f"{each['id']}: {each['nodes'][0]['html']} {each['nodes'][0].get('failureSummary', '')}" for each in found)
            for width, pixels in WIDTHS.items() if number == 0 or shots else ():
                self.touch(width in TOUCH_SCREENS)
                self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                for direction in ("rtl", "ltr"):
                    # Rows of photos get their sizes before the next frame is painted.
                    wide = self.driver.execute_async_script("""const [direction, done] = arguments
                        document.documentElement.dir = direction
                        requestAnimationFrame(() => requestAnimationFrame(
                            () => done(document.documentElement.scrollWidth)))""", direction)
                    assert wide <= pixels, f"{name} is {wide} pixels wide at {pixels} ({direction})"
                if shots:
                    pathlib.Path(shots).mkdir(parents=True, exist_ok=True)
                    self.driver.save_screenshot(os.path.join(shots, f"{name}-{width}-{scheme}.png"))
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        return self

    def close(self):
        """Closes the browser. Fails if its log contains unexpected errors, such as policy violations."""
        expected = r"the server responded with a status of (4\d\d|503)|net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INTERNET_DISCONNECTED|UNSAFE_PORT|PROXY_CONNECTION_FAILED|EMPTY_RESPONSE|FAILED)|favicon"
        found = [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and not re.search(expected, entry["message"])
        ]
        self.driver.quit()
        assert not found, found

    def cookie_values(self):
        return {name: cookie["value"] for name, cookie in self.cookies().items()}

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.driver.get_cookies()}
