"""Bob has several tabs open: without his session, or with that of Alice, none shows his photos."""
import os
from datetime import datetime
from zoneinfo import ZoneInfo
from pictures import png
from portal import SERVER, Browser, photolala
from relay import Relay

os.chdir(os.environ["HOME"])
MAY = 1715767200
HERE = "sessionStorage.getItem('typed-in-dialog')"

relay = Relay()
bob = Browser(proxy=relay.port)
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number, name in enumerate(["lake", "beach"]):
    png(f"camera/{name}.png", (number * 60, 99, 200), 640, 480, date=MAY - number * 40 * 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
photolala("album", "create", "Summer")
photolala("album", "add", "Summer", "lake.png")
sign_in = lambda name="bob": bob.go("/sign-in").press("Sign in with Apple").press(name).is_at("/library")


def opens(*paths):
    """Opens pages in tabs which notice nothing when they are shown again, and then another tab. Returns the tabs."""
    tabs = []
    for path in paths:
        bob.go(path).until(lambda: bob.all(".grid img, .large, .albums img, .person"), f"{path} is not shown")
        bob.script("""for (const name of ["visibilitychange", "focus"]) {
            addEventListener(name, event => event.stopImmediatePropagation(), true) }""")
        tabs.append(bob.driver.current_window_handle)
        bob.driver.switch_to.new_window("tab")
    return tabs


def closes(tabs, path, what):
    """Closes tabs after they show a page."""
    for tab in tabs:
        bob.driver.switch_to.window(tab)
        bob.until(lambda: bob.path.startswith(path), f"{what} stays")
        assert not bob.all(".grid img, .large, .person"), bob.path
        if tab != tabs[0]:
            bob.driver.close()
    bob.driver.switch_to.window(tabs[0])


photo = bob.script("return document.querySelector('.grid a')?.href") or bob.go("/library").script(
    "return document.querySelector('.grid a').href")
pages = ["/library", photo, "/library/albums", "/account"]

# After signing out in a tab, all others lead to the sign-in, also without being looked at.
tabs = opens(*pages)
bob.go("/library").pictures()
bob.menu("Sign out").is_at("/").driver.back()
bob.until(lambda: bob.path.startswith("/sign-in"), "the page before signing out is shown again").driver.close()
closes(tabs, "/sign-in", "a page after signing out")
sign_in()

# After another account has signed in, they show what that one has.
tabs = opens("/library", photo)
bob.go("/create-account").press("Create account with Apple").press("alice").is_at("/library")
bob.until(lambda: bob.all("#nothing")).driver.close()
closes(tabs, "/library", "a page of another account")
bob.until(lambda: bob.all("#nothing"), "alice does not see her photos").menu("Sign out")
sign_in()

# A session that ended without a script in between, or on another device, is noticed when the tab is shown again.
first = bob.go("/library").driver.current_window_handle
for path in ["/account/activity", None]:
    other = Browser()
    bob.until(lambda: bob.all(".grid img")).driver.switch_to.new_window("tab")
    if path:
        bob.script_is_off(True).go(path).menu("Sign out").is_at("/")
    else:
        other.go("/sign-in").press("Sign in with Apple").press("bob")
        other.go("/account/devices").press("Sign out everywhere").press("Sign out everywhere")
    other.close()
    bob.driver.close()
    bob.driver.switch_to.window(first)
    # A tab that is behind another one of a headless browser does not know it.
    bob.script("dispatchEvent(new Event('focus'))")
    bob.until(lambda: bob.path.startswith("/sign-in"), "the page stays")
    # The sign-in leads back.
    bob.press("Sign in with Apple").press("bob").is_at("/library")

# So is one that ended while the page had no connection and shows what the browser has kept.
bob.go("/account").script("document.querySelector('#offline-mode').value = 'on'")
bob.all("form[action='/account/offline'] button")[0].click()
bob.until(lambda: bob.path.endswith("#offline-reading")).go("/library").pictures()
kept = """const done = arguments[0]; caches.keys().then(async names => done((await Promise.all(names.filter(
    name => /^(pages|pictures)/.test(name)).map(async name => (await (await caches.open(name)).keys()).length))).length))"""
bob.until(lambda: bob.driver.execute_async_script(kept) == 2, "nothing is kept")
tabs = opens("/library", photo)
bob.go("/library/albums")
for tab in tabs:
    bob.driver.switch_to.window(tab)
    bob.driver.execute_cdp_cmd("Network.enable", {})
    bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    bob.go(bob.path).until(lambda: bob.all("html[data-kept]"), "the kept page is not shown")
bob.driver.switch_to.window(bob.driver.window_handles[-1])
bob.menu("Sign out").is_at("/").driver.close()
for tab in tabs:
    bob.driver.switch_to.window(tab)
    bob.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
closes(tabs, "/sign-in", "a kept page after signing out")
sign_in()

# A server that does not answer ends no page.
bob.go("/library").pictures()
relay.failure = lambda method, path: "foreign" if path == "/library/session" else None
bob.script("dispatchEvent(new Event('focus'))")
bob.until(lambda: "/library/session" in [path for _, _, path in relay.requests], "the server is not asked")
relay.failure = lambda method, path: None
assert bob.all(".grid img")[0].is_displayed() and bob.path == "/library", bob.path

# What the browser has kept for its back button is seen only after the server has named the account.
relay.failure = lambda method, path: "silent" if path == "/library/session" else None
bob.script("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
assert not bob.all(".grid img")[0].is_displayed(), "an unchecked page is seen"
relay.failure = lambda method, path: None
bob.until(lambda: bob.all(".grid img") and bob.all(".grid img")[0].is_displayed(), "the page stays hidden")

# After signing out in another tab, it hides the page until it answers.
relay.failure = lambda method, path: "foreign" if path == "/library/session" else None
bob.script("new BroadcastChannel('session').postMessage({ account: null })")
bob.until(lambda: not bob.all(".grid img")[0].is_displayed() and bob.all("#signed-out")[0].is_displayed(), "it is seen")
relay.failure = lambda method, path: None
bob.script("dispatchEvent(new Event('focus'))")
bob.until(lambda: bob.all(".grid img")[0].is_displayed() and not bob.all("#signed-out")[0].is_displayed(), "it is hidden")

# Times are those of the browser's zone; without scripts they say that they are in UTC.
bob.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
times = lambda: bob.script("return [...document.querySelectorAll('time')].map(each => [each.dateTime, each.textContent])")
for path in ("/account/devices", "/account/activity"):
    for machine, shown in bob.go(path).until(times) and times():
        local = datetime.fromisoformat(machine).astimezone(ZoneInfo("Asia/Tokyo"))
        day = f"{local:%B} {local.day}, {local.year}"
        assert shown.replace("\u202f", " ") in (day, f"{day} at {local.hour % 12 or 12}:{local:%M %p}"), (path, machine, shown)
    bob.script_is_off(True).go(path)
    assert times() and all(shown.endswith(" UTC") for _, shown in times()), (path, times())
    bob.script_is_off(False)
bob.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})

# What was typed in a dialog is kept for the way through the sign-in to the same page, and nowhere else.
bob.go("/library/albums").press("New album").fill("name", "Typed").driver.delete_all_cookies()
bob.named("Create").click()
bob.arrives("/sign-in")
assert "Typed" in bob.script(f"return {HERE}")
sign_in()
assert bob.script(f"return {HERE}") is None
for end in ["Create", "Cancel"]:
    bob.go("/library/albums").press("New album").fill("name", f"Typed {end}").driver.delete_all_cookies()
    bob.named("Create").click()
    bob.arrives("/sign-in").press("Sign in with Apple").press("bob").is_at("/library/albums")
    bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open again")
    assert bob.driver.find_element("name", "name").get_attribute("value") == f"Typed {end}"
    bob.named(end).click()
    bob.until(lambda: not bob.all("#question[open]"))
    assert bob.script(f"return {HERE}") is None
# So is what was typed and not sent when the person signs out in another tab; another account does not get it.
PAGE = "sessionStorage.getItem('typed-in-page')"


def signs_out_elsewhere(act):
    """Types in a tab, and signs out in another one."""
    act()
    first = bob.driver.current_window_handle
    bob.driver.switch_to.new_window("tab")
    bob.go("/account/activity").menu("Sign out").is_at("/").driver.close()
    bob.driver.switch_to.window(first)
    bob.arrives("/sign-in")


def types(text):
    bob.go("/library/albums").press("New album").fill("name", text)


signs_out_elsewhere(lambda: types("Unsent"))
assert "Unsent" in bob.script(f"return {HERE}")
bob.press("Sign in with Apple").press("bob").is_at("/library/albums")
bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open again")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Unsent"
bob.press("Create").has("Unsent")
signs_out_elsewhere(lambda: types("Secret"))
bob.press("Sign in with Apple").press("alice").is_at("/library/albums")
assert bob.script(f"return {HERE}") is None and not bob.all("#question[open]") and "Secret" not in bob.driver.page_source
bob.menu("Sign out")
sign_in()


def chooses():
    bob.go("/library").until(lambda: bob.all(".grid img")).choose(1)
    bob.press("Add to album").until(lambda: bob.all("#question .new"))
    bob.all("#question .new")[0].click()
    bob.fill("name", "Chosen")


signs_out_elsewhere(chooses)
bob.press("Sign in with Apple").press("bob").is_at("/library")
bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open again")
bob.press("Create").has_soon("1 item added to “Chosen”")

# So is what was typed in a page, unless it is as it was, also after the session has ended on another device.
bob.go("/account").fill("name", "Robert").driver.delete_all_cookies()
bob.script("dispatchEvent(new Event('focus'))")
bob.arrives("/sign-in").press("Sign in with Apple").press("bob").is_at("/account")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Robert"
assert bob.script(f"return {PAGE}") is None
signs_out_elsewhere(lambda: bob.go("/account").until(lambda: bob.all("#name")))
assert bob.script(f"return {PAGE}") is None
sign_in()

# Entries that the page did not write, of another account, too old or malformed, are removed and open nothing.
owner = bob.go("/library/albums").script("return document.querySelector('header.top').dataset.account")
opener = bob.script("return document.querySelector('a[data-dialog]').getAttribute('href')")
entry = {"address": "/library/albums", "opener": opener, "account": owner, "time": bob.script("return Date.now()"), "typed": []}
for change in [{"account": "0123456789abcdef"}, {"account": None}, {"time": entry["time"] - 901_000}, {"typed": 5},
               {"typed": [["a"]]}, {"typed": [["a", {"value": {}}]]}, {"address": "/library"}, {"opener": "/library"}]:
    bob.driver.execute_script(f"{HERE.replace('getItem', 'setItem').replace(')', ', JSON.stringify(arguments[0]))')}", entry | change)
    bob.go("/library/albums").until(lambda: bob.script(f"return document.readyState === 'complete' && {HERE} === null"))
    assert not bob.all("#question[open]"), change
for text in ["", "null", "{", "[]", "x" * 1_000_000]:
    bob.driver.execute_script(f"{HERE.replace('getItem', 'setItem').replace(')', ', arguments[0])')}", text)
    bob.go("/library/albums").press("New album").named("Cancel").click()

# A page without another script leaves, too.
for path in ["/account/activity", "/account/data", "/library/albums/new"]:
    bob.go(path).driver.delete_all_cookies()
    bob.script("dispatchEvent(new Event('focus'))")
    bob.arrives("/sign-in")
    sign_in()

bob.go("/library").until(lambda: bob.all(".grid img")).script("sessionStorage.setItem('mark', 'x')")
bob.menu("Sign out").is_at("/")
assert bob.script("return sessionStorage.length") == 0
relay.stop()
bob.close()
print("DONE")
